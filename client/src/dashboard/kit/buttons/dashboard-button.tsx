/** A button of the dashboard: small and plain, unless its page says otherwise. */
import { Button, type ButtonProps, type ElementProps } from '@mantine/core';

interface DashboardButtonProps
  extends Omit<ButtonProps, 'children'>,
    ElementProps<'button', keyof ButtonProps | 'children'> {
  label: string;
  /** Names the record for screen readers. */
  recordName?: string | undefined;
}

export const PlainButton = ({ label, recordName, ...look }: DashboardButtonProps) => (
  <Button
    variant="default"
    size="sm"
    aria-label={recordName ? `${label}: ${recordName}` : undefined}
    {...look}
  >
    {label}
  </Button>
);
