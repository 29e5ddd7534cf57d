/** Actions for one row of a list or for the selected rows: declared, and rendered as buttons. */
import type { ReactNode } from 'react';
import { Dialog } from '../actions/dialog.tsx';
import { useSurroundingPageActions, useToast } from '../actions/use-actions.ts';
import { PlainButton } from '../buttons/dashboard-button.tsx';
import { OpenButton } from '../buttons/open-button.tsx';

/** A button that acts at once, opens its own dialog, or asks for confirmation first. */
interface Action {
  label: string;
  onClick?(): void;
  dialog?(close: () => void): ReactNode;
  /** State of a toggle button. */
  pressed?: boolean;
  title?: string;
  /** Explains what will happen, in the confirmation. */
  text?: ReactNode;
  danger?: boolean;
  /** Asks for a reason; this text explains where it will appear. */
  reason?: string;
}

export interface RowAction extends Action {
  /** Permission required on the row. */
  right?: string;
  send?(reason: string): Promise<unknown>;
  message?: string | ((result: never) => string);
}

/** Sent for each row, four at a time; rows that are refused can be tried again. */
export interface BulkAction<T> extends Action {
  sendEach?(row: T, reason: string): Promise<unknown>;
  message?(results: never[]): string;
}

interface ActionButtonProps {
  action: Action;
  record?: string;
  onYes(reason: string): Promise<unknown>;
}

function ActionButton({ action, record, onYes }: ActionButtonProps) {
  const { label, onClick, dialog, pressed, title = label, text, danger = false, reason } = action;
  const withReason = reason === undefined ? {} : { reason: { what: reason, required: true } };
  return onClick ? (
    <PlainButton
      label={label}
      recordName={record}
      variant={record ? 'default' : 'filled'}
      aria-pressed={pressed}
      onClick={onClick}
    />
  ) : (
    <OpenButton variant="default" size="sm" label={label} recordName={record}>
      {(close) =>
        dialog?.(close) ?? (
          <Dialog {...{ title, text, danger, onYes }} {...withReason} yes={label} onClose={close} />
        )
      }
    </OpenButton>
  );
}

/** `record` names the row for screen readers. */
export function RowActions({ actions, record }: { actions: readonly RowAction[]; record: string }) {
  const toast = useToast();
  return actions.map((action) => (
    <ActionButton
      key={action.label}
      action={action}
      record={record}
      onYes={async (reason) => {
        const result = await action.send?.(reason);
        const { message = '' } = action;
        toast(typeof message === 'function' ? message(result as never) : message);
      }}
    />
  ));
}

interface BulkActionsProps<T> {
  actions: readonly BulkAction<T>[];
  rows: readonly T[];
  name(row: T): string;
  onStart(): void;
}

export function BulkActions<T>({ actions, rows, name, onStart }: BulkActionsProps<T>) {
  const { run } = useSurroundingPageActions();
  return actions.map((action) => (
    <ActionButton
      key={action.label}
      action={action}
      onYes={async (reason) => {
        onStart();
        void run<T, unknown>({
          items: rows,
          one: async (row) => action.sendEach?.(row, reason),
          name,
          messageOf: (results) => action.message?.(results as never[]) ?? '',
        });
      }}
    />
  ));
}
