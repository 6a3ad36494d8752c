import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker';

/** The workflows as the build bundled them; bundled now where they run from the sources. */
export async function workflowBundle(): Promise<WorkflowBundleOption> {
  const codePath = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
  if (existsSync(codePath)) return { codePath };
  const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
}
