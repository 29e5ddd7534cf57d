/** A button that opens a dialog. */
import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface OpenButtonProps extends Omit<ButtonProps, 'children'> {
  label: string;
  /** Names the record for screen readers. */
  recordName?: string | undefined;
  children(close: () => void): ReactNode;
}

export function OpenButton({ label, recordName, children, ...look }: OpenButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        {...look}
        aria-label={recordName ? `${label}: ${recordName}` : undefined}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {open ? children(() => setOpen(false)) : null}
    </>
  );
}
