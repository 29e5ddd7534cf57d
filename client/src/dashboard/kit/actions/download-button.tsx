/** Saves a file that is generated on request, then shows a confirmation or the reason it failed. */
import { Button, type ButtonProps } from '@mantine/core';
import { useProblemText } from '../../../session/problem-text.ts';
import { useSubmit } from '../../../ui/form.tsx';
import { useDashboardText } from '../words/dashboard-text.ts';
import type { ToastMessage } from './toast.tsx';
import { useToast } from './use-actions.ts';

interface DownloadButtonProps extends ButtonProps {
  label?: string | undefined;
  /** Resolves to the message shown once the file is saved. */
  save(): Promise<string | ToastMessage>;
}

export function DownloadButton({ label, save, ...look }: DownloadButtonProps) {
  const { t } = useDashboardText();
  const problem = useProblemText();
  const toast = useToast();
  const failure = (error: unknown): ToastMessage => ({ text: problem(error), bad: true });
  const { submit, busy } = useSubmit(async () => toast(await save().catch(failure)));
  return (
    <Button variant="default" loading={busy} onClick={() => submit()} {...look}>
      {label ?? t('lists.download')}
    </Button>
  );
}
