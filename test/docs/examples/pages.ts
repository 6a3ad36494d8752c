/** Pages of docs/ whose examples are run, each on a server of its own. */
export const playedPages = ['first-hour.md', 'api-by-example.md'] as const;
