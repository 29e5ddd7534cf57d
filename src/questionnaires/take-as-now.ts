import { settings } from 'survey-core';

/** From now on, the form library takes this for the present moment, until the function that is returned is called. Browser-safe. */
export function takeAsNow(moment: string): () => void {
  const { onDateCreated } = settings;
  settings.onDateCreated = (date: Date, reason: string, value?: unknown) =>
    onDateCreated(value ? date : new Date(moment), reason, value as string);
  return () => {
    settings.onDateCreated = onDateCreated;
  };
}
