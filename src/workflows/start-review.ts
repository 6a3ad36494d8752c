import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { getExternalWorkflowHandle, log, ParentClosePolicy, startChild } from '@temporalio/workflow';
import { type CatalogName, reconcileQueue, searchAttributes, signals } from '../contract/names.ts';
import { catalogReview } from './catalog-review.ts';

/**
 * Makes sure that the catalog's review runs and looks at the ledger again. A review that ends just now is started anew
 * by the second try; one that cannot be reached is started by the next round or decision.
 */
export async function startReview(name: CatalogName, workflowId: string, why: string): Promise<void> {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    try {
      await startChild(catalogReview, {
        workflowId,
        taskQueue: reconcileQueue,
        args: [{ v: 1, ...name }],
        parentClosePolicy: ParentClosePolicy.ABANDON,
        typedSearchAttributes: [{ key: searchAttributes.catalogId, value: `${name.metalake}/${name.catalog}` }],
        staticSummary: `Review of ${name.metalake}/${name.catalog}: decisions and removals`,
      });
      return;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    try {
      await getExternalWorkflowHandle(workflowId).signal(signals.wake, { why });
      return;
    } catch (error) {
      log.info('the review ended while it was woken', { workflowId, error });
    }
  }
}
