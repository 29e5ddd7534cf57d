/** The next version, by its words or as JSON: checked as the service checks it while one types, with the form beside it. */
import { Button, Group, NativeSelect, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { Refusal, request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { DialogButton } from '../../desk/dialog.tsx';
import { refreshDesk } from '../../desk/use-list.tsx';
import { faultText } from '../../fault-text.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { FieldError, Questionnaire } from '../../wire.ts';
import { checkInBrowser } from './questionnaire-check.ts';
import { useVersionDraft, type VersionDraft } from './questionnaire-draft.ts';
import { lineOf, parseDefinition, placeOf } from './questionnaire-json.ts';
import { questionsOf } from './questionnaire-outline.ts';
import Try from './questionnaire-try.tsx';
import { WordsEditor } from './questionnaire-words.tsx';

const TYPING = 400;
const MOST_FAULTS = 12;

interface Judged {
  text: string;
  definition: object | null;
  faults: (FieldError & { at: number | null })[];
}

/** That there is none of that name; the service may find more. */
const NETWORK_SIZE = 'networkSizeQuestion';

/** What is wrong with it, each fault with its place in the text. */
function judge(text: string, networkSizeQuestion: string, takesPartIf: string): Judged {
  const parsed = parseDefinition(text);
  if ('fault' in parsed) return { text, definition: null, faults: [{ path: 'JSON', ...parsed.fault }] };
  const errors = checkInBrowser(parsed.definition, networkSizeQuestion, takesPartIf);
  const faults = errors.map((error) => ({
    ...error,
    at: error.path.startsWith('definition') ? placeOf(text, error.path) : null,
  }));
  return { text, definition: faults.some(({ at }) => at !== null) ? null : parsed.definition, faults };
}

/** A pause in the typing first: the whole form is built anew. */
function useJudged(text: string, networkSizeQuestion: string, takesPartIf: string): Judged {
  const [judged, setJudged] = useState(() => judge(text, networkSizeQuestion, takesPartIf));
  useEffect(() => {
    const timer = setTimeout(() => setJudged(judge(text, networkSizeQuestion, takesPartIf)), TYPING);
    return () => clearTimeout(timer);
  }, [text, networkSizeQuestion, takesPartIf]);
  return judged;
}

export default function QuestionnaireEdit({ questionnaire }: { questionnaire: Questionnaire }) {
  const { t } = useDeskText();
  const navigate = useNavigate();
  const [draft, setDraft] = useVersionDraft(questionnaire);
  const saved = useMemo<VersionDraft>(
    () => ({
      name: questionnaire.name,
      sizeQuestion: questionnaire.networkSizeQuestion,
      takesPartIf: questionnaire.takesPartIf ?? '',
      text: JSON.stringify(questionnaire.definition, null, 2),
    }),
    [questionnaire],
  );
  const { name, sizeQuestion, takesPartIf = '', text } = { ...saved, ...draft };
  const [way, setWay] = useState<'words' | 'json'>('words');
  const field = useRef<HTMLTextAreaElement>(null);
  const judged = useJudged(text, sizeQuestion, takesPartIf);
  const shown = useDeferredValue(judged.definition);
  const candidates = useMemo(
    () => (judged.definition ? questionsOf(judged.definition).filter(({ type }) => type === 'text') : []),
    [judged.definition],
  );
  const settled = judged.text === text;
  const save = useSubmit(async () => {
    const body = {
      name,
      definition: JSON.parse(text) as object,
      networkSizeQuestion: sizeQuestion,
      takesPartIf: takesPartIf.trim() || null,
    };
    const made = await request<Questionnaire>('POST', '/api/questionnaires', { body });
    setDraft(null);
    await refreshDesk();
    await navigate(`/desk/questionnaires/${made.id}`);
  });
  const edit = (change: Partial<VersionDraft>) => {
    const next = { ...saved, ...draft, ...change };
    const same = (Object.keys(saved) as (keyof VersionDraft)[]).every((key) => next[key] === saved[key]);
    setDraft(same ? null : next);
    // What the service said was about the text before.
    if (change.text !== undefined) save.clear();
  };
  const goTo = (at: number) => {
    // The line is there to be seen first.
    flushSync(() => setWay('json'));
    const area = field.current;
    if (!area) return;
    area.focus();
    area.setSelectionRange(at, at);
    area.scrollTop = Math.max(0, (lineOf(text, at) - 4) * (area.scrollHeight / text.split('\n').length));
  };
  const parsed = useMemo(() => (way === 'words' ? parseDefinition(text) : null), [text, way]);
  const refused = save.error instanceof Refusal && save.error.errors.length > 0 ? save.error.errors : [];
  const places = refused.map((error) => ({
    ...error,
    at: settled && judged.definition ? placeOf(text, error.path) : null,
  }));
  return (
    <>
      <Text c="dimmed">{t('versions.editWhat')}</Text>
      <div className="versions-edit">
        <div className="versions-column">
          <TextInput
            label={t('common.name')}
            size="md"
            value={name}
            onChange={(event) => edit({ name: event.currentTarget.value })}
          />
          <NativeSelect
            size="md"
            label={t('versions.networkSize')}
            description={t('versions.networkSizeWhat')}
            value={sizeQuestion}
            onChange={(event) => edit({ sizeQuestion: event.currentTarget.value })}
            data={[...new Set([sizeQuestion, ...candidates.map((question) => question.name)])]}
          />
          <TextInput
            size="md"
            label={t('versions.takesPartIf')}
            description={t('versions.takesPartIfWhat')}
            value={takesPartIf}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => edit({ takesPartIf: event.currentTarget.value })}
          />
          <SegmentedControl
            size="md"
            aria-label={t('versions.way')}
            value={way}
            onChange={(value) => setWay(value === 'json' ? 'json' : 'words')}
            data={(['words', 'json'] as const).map((value) => ({
              value,
              label: t(`versions.ways.${value}`),
            }))}
          />
          <Text c="dimmed">{t(`versions.waysWhat.${way}`)}</Text>
          {parsed && 'definition' in parsed ? (
            <WordsEditor
              definition={parsed.definition}
              onChange={(next) => edit({ text: JSON.stringify(next, null, 2) })}
            />
          ) : parsed ? null : (
            <Textarea
              ref={field}
              className="versions-json"
              label={t('versions.json')}
              value={text}
              spellCheck={false}
              autoCapitalize="off"
              onChange={(event) => edit({ text: event.currentTarget.value })}
            />
          )}
          <Faults faults={places.length > 0 ? places : judged.faults} text={text} onGo={goTo} />
          {refused.length === 0 ? <FormError error={save.error} /> : null}
          <Text c="dimmed" role="status">
            {t(draft ? 'versions.draftKept' : 'versions.nothingChanged')}
          </Text>
          <Group gap="sm">
            <Button
              onClick={() => save.submit()}
              loading={save.busy}
              disabled={!draft || !settled || judged.faults.length > 0 || name.trim() === ''}
            >
              {t('versions.save')}
            </Button>
            {draft ? (
              <DialogButton
                danger
                label={t('versions.discard')}
                text={t('versions.discardWhat')}
                yes={t('versions.discard')}
                onYes={async () => setDraft(null)}
              />
            ) : null}
          </Group>
        </div>
        <section className="versions-column" aria-label={t('versions.preview')}>
          <h2>{t('versions.preview')}</h2>
          {shown ? <Try definition={shown} /> : <Notice tone="info" title={t('versions.noPreview')} />}
        </section>
      </div>
    </>
  );
}

interface FaultsProps {
  faults: Judged['faults'];
  text: string;
  onGo(at: number): void;
}

function Faults({ faults, text, onGo }: FaultsProps) {
  const { t } = useDeskText();
  if (faults.length === 0) return <Notice tone="good" title={t('versions.fine')} />;
  const words = (fault: FieldError) =>
    fault.path === NETWORK_SIZE && !fault.code
      ? t('versions.noNetworkSize', { name: fault.message })
      : faultText(fault);
  return (
    <Notice tone="bad" live title={t('versions.faults', { count: faults.length })}>
      <ul className="versions-faults">
        {faults.slice(0, MOST_FAULTS).map(({ at, ...fault }) => (
          <li key={`${fault.path}-${fault.message}`}>
            {at === null ? (
              <>
                <code dir="ltr">{fault.path}</code>: <bdi>{words(fault)}</bdi>
              </>
            ) : (
              <button type="button" onClick={() => onGo(at)}>
                {t('versions.line', { line: lineOf(text, at) })}: <bdi>{words(fault)}</bdi>{' '}
                <code dir="ltr">{fault.path}</code>
              </button>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
