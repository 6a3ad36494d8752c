import { CursorText } from '../cursor.ts';
import { queryNumber } from './text.ts';

/** A page of 500 findings with their evidence stays below a megabyte. */
export const maxPage = 500;
const defaultPage = 100;

/** Query members of every list that is read page by page. */
export const pageQuery = {
  limit: queryNumber(1, maxPage).default(defaultPage),
  cursor: CursorText.exactOptional(),
};

/** `next`, absent on the last page, goes into `cursor` of the next request. */
export const nextCursor = CursorText.exactOptional();
