/** Whether the text is a record's id, in upper or lower case. Browser-safe. */
export const isRecordId = (text: string): boolean => /^[0-9a-f]{24}$/i.test(text);
