/** Actions for the selected rows, with their progress and failures, always visible below the list. */
import './action-bar.css';
import { Button, Group, Progress } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useProblemText } from '../../../session/problem-text.ts';
import { Notice } from '../../../ui/notice.tsx';
import { type DashboardPageActions, useSurroundingPageActions } from '../actions/use-actions.ts';
import { PlainButton } from '../buttons/dashboard-button.tsx';
import { useDashboardText } from '../words/dashboard-text.ts';
import { MAX_SELECTED, type SelectedRows } from './row-selection.ts';

const CHECKBOX_SELECTOR = '.dashboard-pick input';
const LIST_SELECTOR = '.dashboard-scroll, .dashboard-empty';

type AnySelectedRows = Pick<SelectedRows<unknown>, 'rows' | 'none' | 'matching' | 'leftOut'>;

interface ActionAreaProps {
  /** The actions of a page that was left, instead of this page's own. */
  detached?: DashboardPageActions;
  selection?: AnySelectedRows;
  /** Buttons for the selected rows. */
  children?: ReactNode;
}

export function ActionArea({ detached, selection, children }: ActionAreaProps) {
  const own = useSurroundingPageActions();
  const acts = detached ?? own;
  const area = useRef<HTMLDivElement>(null);
  useKeepFocus(area);
  const { running, notDone } = acts;
  return (
    <div className="act-area" ref={area} tabIndex={-1}>
      {notDone ? <NotDone acts={acts} notDone={notDone} /> : null}
      {running && running.of > 1 ? <Running acts={acts} {...running} /> : null}
      {!running && selection && selection.rows.length > 0 ? (
        <Bar selection={selection} acts={acts}>
          {children}
        </Bar>
      ) : null}
    </div>
  );
}

/**
 * If a button disappears after its action, the focus stays here or moves to the list instead of the top of the page.
 */
function useKeepFocus(area: RefObject<HTMLDivElement | null>): void {
  const within = useRef(false);
  useWindowEvent('focusin', ({ target }) => {
    // Dialogs opened from here return the focus here.
    if ((target as Element).closest('dialog, [role="dialog"]')) return;
    within.current = area.current?.contains(target as Node) ?? false;
  });
  useEffect(() => {
    const [now, isEmpty] = [document.activeElement, !area.current?.hasChildNodes()];
    const isLost = now === document.body || (isEmpty && now === area.current);
    if (!within.current || !isLost) return;
    const next = isEmpty ? document.querySelector<HTMLElement>(LIST_SELECTOR) : area.current;
    next?.focus({ preventScroll: true });
  });
}

function Bar({
  selection,
  acts,
  children,
}: {
  selection: AnySelectedRows;
  acts: DashboardPageActions;
  children: ReactNode;
}) {
  const { t, counted } = useDashboardText();
  const problem = useProblemText();
  const bar = useRef<HTMLElement>(null);
  const [loading, setLoading] = useState(false);
  useKeys(bar, selection.none);
  const { matching, leftOut } = selection;
  const choose = async () => {
    setLoading(true);
    await matching?.choose().catch((error) => acts.toast.show({ text: problem(error), bad: true }));
    setLoading(false);
  };
  const count = t('common.chosen', counted(selection.rows.length));
  return (
    <section className="act-bar" aria-label={count} ref={bar}>
      <div>
        <p role="status">
          <b>{count}</b> {leftOut > 0 ? t('bulk.leftOut', counted(leftOut)) : null}
        </p>
        <PlainButton label={t('common.unchoose')} variant="subtle" onClick={selection.none} />
        {matching ? (
          <Button variant="subtle" size="sm" loading={loading} onClick={() => void choose()}>
            {matching.total > MAX_SELECTED
              ? t('bulk.firstThatMatch', counted(MAX_SELECTED))
              : t('bulk.allThatMatch', counted(matching.total))}
          </Button>
        ) : null}
        <p className="keys-note">{t('bulk.keys')}</p>
      </div>
      <Group gap="xs" className="act-buttons">
        {children}
      </Group>
    </section>
  );
}

/** Escape clears the selection. Enter on a row's checkbox jumps to the action buttons. */
function useKeys(bar: RefObject<HTMLElement | null>, none: () => void): void {
  const press = (event: KeyboardEvent) => {
    const at = event.target as Element;
    // An open dialog or a text field keeps these keys for itself.
    if (document.querySelector('dialog, [role="dialog"]') || event.isComposing) return;
    if (event.key === 'Escape' && !at.matches('select, textarea, input:not([type="checkbox"])')) none();
    if (event.key !== 'Enter' || !at.matches(CHECKBOX_SELECTOR)) return;
    event.preventDefault();
    bar.current?.querySelector<HTMLElement>('.act-buttons button')?.focus();
  };
  // In the capture phase, before a dialog that this key closes is gone.
  useWindowEvent('keydown', press, true);
}

type RunningProps = { acts: DashboardPageActions } & NonNullable<DashboardPageActions['running']>;

function Running({ acts, attempts, of, wait }: RunningProps) {
  const { t, number } = useDashboardText();
  const progress = t('bulk.running', { done: number(attempts), all: number(of) });
  return (
    <div className="act-bar">
      <div>
        <p>{progress}</p>
        <Progress value={(100 * attempts) / of} aria-label={progress} mt={6} />
        <p role="status">{wait ? t('bulk.waiting', { shown: number(wait) }) : null}</p>
      </div>
      <PlainButton label={t('bulk.stop')} onClick={acts.stop} />
    </div>
  );
}

function NotDone({
  acts,
  notDone,
}: {
  acts: DashboardPageActions;
  notDone: NonNullable<DashboardPageActions['notDone']>;
}) {
  const { t, counted } = useDashboardText();
  const problem = useProblemText();
  const { failures: failed, untried } = notDone;
  const title =
    failed.length > 0 ? t('bulk.refused', counted(failed.length)) : t('bulk.stopped', counted(untried));
  return (
    <div className="act-refused">
      <Notice tone="bad" live title={title}>
        {failed.length > 0 ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable, so it must be reachable by keyboard
          <ul tabIndex={0} aria-label={title}>
            {failed.map(({ name, error }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two records may have the same name
              <li key={at}>
                {name}: {problem(error)}
              </li>
            ))}
          </ul>
        ) : null}
        {failed.length > 0 && untried > 0 ? <p>{t('bulk.stopped', counted(untried))}</p> : null}
        <Group gap="xs" mt="xs">
          {notDone.retry ? <PlainButton label={t('bulk.again')} onClick={notDone.retry} /> : null}
          <PlainButton label={t('common.close')} variant="subtle" onClick={acts.forget} />
        </Group>
      </Notice>
    </div>
  );
}
