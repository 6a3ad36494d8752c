import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';

const root = join(import.meta.dirname, '..', '..', '..');

/** A change of a workflow's text: what stands in a file of `src/workflows`, and what is to stand there. */
export interface Alteration {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The workflows as another release has them: those of `src`, changed in a copy. */
export async function alteredWorkflows(alterations: readonly Alteration[]): Promise<WorkflowBundleOption> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-reconciler-'));
  try {
    await cp(join(root, 'src'), folder, { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const { file, from, to } of alterations) {
      const path = join(folder, 'workflows', file);
      const text = await readFile(path, 'utf8');
      if (text.split(from).length !== 2) throw new Error(`${file} does not hold this exactly once: ${from}`);
      await writeFile(path, text.replace(from, to));
    }
    return await bundleWorkflowCode({
      workflowsPath: join(folder, 'workflows', 'index.ts'),
      logger: new DefaultLogger('WARN'),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
