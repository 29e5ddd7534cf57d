/** The types of file replies; see `streamedFile` in route.ts. */
export type MediaType =
  | 'application/pdf'
  | 'application/json'
  | 'application/xml'
  | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  | 'application/zip'
  | 'text/csv'
  | 'text/plain'
  | 'text/vnd.graphviz';
