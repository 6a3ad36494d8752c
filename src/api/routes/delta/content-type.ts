export const deltaContentType = 'application/json; charset=utf-8';
