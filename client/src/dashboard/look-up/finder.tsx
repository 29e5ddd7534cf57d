/** Search results while typing, as links; Enter opens the first one. */
import { Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { toLatinDigits } from '../../../../src/platform/lib/text/latin-digits.ts';
import { rewriteTypedText } from '../../ui/rewrite-input.ts';
import { DashboardModal } from '../kit/actions/dashboard-modal.tsx';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { looksLikeCode } from '../kit/words/looks-like-code.ts';
import { type SearchResult, useSearchResults } from './use-search-results.ts';

const TYPING_MS = 200;

/** Mantine focuses dialogs a moment later, and what is typed until then would be lost. */
const takeFocus = (field: HTMLInputElement | null) => field?.focus({ preventScroll: true });

export function Finder({ onClose, onKeys }: { onClose(): void; onKeys(): void }) {
  const { t, counted } = useDashboardText();
  const navigate = useNavigate();
  const list = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [settled] = useDebouncedValue(text.trim(), TYPING_MS);
  const { results, pending } = useSearchResults(text.trim(), settled);
  const at = Math.min(active, results.length - 1);
  const go = (to: string | undefined) => {
    if (to === undefined) return;
    onClose();
    void navigate(to);
  };
  // Enter right after typing a name waits for the search to finish.
  const [hurried, setHurried] = useState(false);
  const first = results[0]?.to;
  useEffect(() => {
    if (!hurried || pending || first === undefined) return;
    onClose();
    void navigate(first);
  }, [hurried, pending, first, onClose, navigate]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && pending && active === 0) setHurried(true);
    else if (event.key === 'Enter') go(results[at]?.to);
    else if (step && results.length > 0) setActive((at + step + results.length) % results.length);
    else return;
    event.preventDefault();
  };
  return (
    <DashboardModal
      onClose={onClose}
      title={t('lookUp.title')}
      size="lg"
      centered={false}
      yOffset="8vh"
      transitionProps={{ duration: 0 }}
    >
      <TextInput
        ref={takeFocus}
        data-autofocus
        mt={4}
        size="md"
        aria-label={t('lookUp.title')}
        placeholder={t('lookUp.hint')}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        role="combobox"
        aria-expanded={results.length > 0}
        aria-controls={list}
        aria-activedescendant={results[at] ? `${list}-${at}` : undefined}
        value={text}
        onChange={(event) => {
          setText(rewriteTypedText(event.currentTarget, toLatinDigits));
          setActive(0);
          setHurried(false);
        }}
        onKeyDown={press}
      />
      <Options id={list} results={results} active={at} onGo={go} />
      <Group justify="space-between" gap="xs">
        <Text className="note" role="status">
          {looksLikeCode(text) && results[0]?.kind !== 'coupon'
            ? t('lookUp.wrongCode')
            : results.length > 0
              ? t('lookUp.found', counted(results.length))
              : t('lookUp.keys')}
        </Text>
        <PlainButton label={t('keys.all')} variant="subtle" onClick={onKeys} />
      </Group>
    </DashboardModal>
  );
}

interface OptionsProps {
  id: string;
  results: SearchResult[];
  active: number;
  onGo(to: string): void;
}

/** The focus stays in the field, whose arrow keys move through the options. */
function Options({ id, results, active, onGo }: OptionsProps) {
  const { t } = useDashboardText();
  return (
    <div id={id} role="listbox" aria-label={t('lookUp.places')} className="look-up-found">
      {results.map(({ key, to, kind, label }, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the focused field
        <div
          key={key}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          onClick={() => onGo(to)}
        >
          <bdi>{label}</bdi>
          <small>{t(`lookUp.kinds.${kind}`)}</small>
        </div>
      ))}
    </div>
  );
}
