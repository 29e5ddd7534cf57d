import { settings } from 'survey-core';

/** Makes the form library use this moment as the current time until the returned function is called. Browser-safe. */
export function overrideFormClock(moment: string): () => void {
  const { onDateCreated } = settings;
  settings.onDateCreated = (date: Date, reason: string, value?: unknown) =>
    onDateCreated(value ? date : new Date(moment), reason, value as string);
  return () => {
    settings.onDateCreated = onDateCreated;
  };
}
