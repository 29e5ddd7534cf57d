/** A button of the dashboard: small and plain, unless its page says otherwise. */
import { Button, type ButtonProps, type ElementProps } from '@mantine/core';

interface DeskButtonProps
  extends Omit<ButtonProps, 'children'>,
    ElementProps<'button', keyof ButtonProps | 'children'> {
  label: string;
  /** Which record, for those who do not see the row. */
  about?: string | undefined;
}

export const DeskButton = ({ label, about, ...look }: DeskButtonProps) => (
  <Button variant="default" size="sm" aria-label={about ? `${label}: ${about}` : undefined} {...look}>
    {label}
  </Button>
);
