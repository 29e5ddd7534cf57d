/** What changed between two versions, question by question, in words. */
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { SelectField } from '../../ui/choice.tsx';
import { Notice, Tag, type Tone } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { Questionnaire } from '../../wire.ts';
import { useAddressParams } from '../kit/list/address.ts';
import { PendingContent } from '../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { useAllVersions } from './all-versions.ts';
import type { VersionDraft } from './drafts/draft-content.ts';
import { compareDefinitions, type QuestionChange, type QuestionDifference } from './questionnaire-diff.ts';
import { parseDefinition } from './questionnaire-json.ts';
import { questionTitleOf, textInLanguage } from './questionnaire-outline.ts';
import { namesKnownIn, useConditionDescriber } from './questionnaire-question.tsx';

const TONES: Record<QuestionChange['kind'], Tone> = { added: 'good', removed: 'bad', changed: 'warn' };

interface CompareProps {
  questionnaire: Questionnaire;
  /** Draft of the next version. */
  draft: VersionDraft | null;
}

export function VersionComparison({ questionnaire, draft: givenDraft }: CompareProps) {
  const { t } = useDashboardText();
  const { params, change } = useAddressParams();
  const versions = useAllVersions();
  const draft = useDraftVersion(questionnaire, givenDraft);
  // By default, a draft is compared with the version it is based on.
  const others = draft
    ? [questionnaire, ...otherThan(questionnaire, versions.data)]
    : otherThan(questionnaire, versions.data);
  const before = others.find(({ id }) => id === params.get('with')) ?? others[0];
  if (!versions.data) return <PendingContent error={versions.error} label={t('versions.compare')} />;
  if (!before) return <Notice tone="info" title={t('versions.onlyOne')} />;
  return (
    <>
      <div className="dashboard-narrow">
        <SelectField
          label={t('versions.compareWith')}
          value={before.id}
          onChange={(id) => change({ with: id })}
          options={others.map((one) => ({ value: one.id, label: t('versions.nameAndVersion', one) }))}
        />
      </div>
      {draft ? <Notice tone="warn" title={t('versions.comparesDraft')} /> : null}
      <Changes before={before} after={draft ?? questionnaire} />
    </>
  );
}

const otherThan = ({ id }: Questionnaire, all: Questionnaire[] = []) => all.filter((one) => one.id !== id);

/** The draft of the next version; null if there is none or its JSON is invalid. */
function useDraftVersion(questionnaire: Questionnaire, draft: VersionDraft | null): Questionnaire | null {
  return useMemo(() => {
    const parsed = draft ? parseDefinition(draft.text) : null;
    if (!draft || !parsed || 'message' in parsed) return null;
    const definition = parsed.definition as Questionnaire['definition'];
    const takesPartIf = draft.takesPartIf.trim() || null;
    return { ...questionnaire, definition, networkSizeQuestion: draft.sizeQuestion, takesPartIf };
  }, [draft, questionnaire]);
}

/** Describes each version's conditions with its own questions. */
interface Sides {
  before(condition: string): string | null;
  after(condition: string): string | null;
}

function useSides(before: Questionnaire, after: Questionnaire): Sides {
  const was = useMemo(() => namesKnownIn(before.definition), [before.definition]);
  const is = useMemo(() => namesKnownIn(after.definition), [after.definition]);
  return { before: useConditionDescriber(was), after: useConditionDescriber(is) };
}

function Changes({ before, after }: { before: Questionnaire; after: Questionnaire }) {
  const { t, language } = useDashboardText();
  const sides = useSides(before, after);
  const eligibilityText = (say: Sides['before'], { takesPartIf }: Questionnaire) =>
    takesPartIf ? (say(takesPartIf) ?? takesPartIf) : '–';
  const size = ({ definition, networkSizeQuestion }: Questionnaire) =>
    questionTitleOf(definition, networkSizeQuestion, language);
  const { changes, unchanged, reordered, settings } = useMemo(
    () => compareDefinitions(before.definition, after.definition),
    [before, after],
  );
  const count = (kind: QuestionChange['kind']) =>
    changes.filter((change) => change.asks && change.kind === kind).length;
  const texts = changes.filter(({ asks }) => !asks).length;
  const otherSize = before.networkSizeQuestion !== after.networkSizeQuestion;
  return (
    <>
      <Text role="status" fw={600}>
        {t('versions.summary', {
          added: count('added'),
          removed: count('removed'),
          changed: count('changed'),
          unchanged,
        })}{' '}
        {texts > 0 ? t('versions.summaryTexts', { count: texts }) : null}
      </Text>
      {reordered ? <Notice tone="info" title={t('versions.reordered')} /> : null}
      {otherSize ? (
        <Notice tone="warn" title={t('versions.otherNetworkSize')}>
          <BeforeAndAfter before={size(before)} after={size(after)} />
        </Notice>
      ) : null}
      {before.takesPartIf === after.takesPartIf ? null : (
        <Notice tone="warn" title={t('versions.otherTakesPart')}>
          <BeforeAndAfter
            before={eligibilityText(sides.before, before)}
            after={eligibilityText(sides.after, after)}
          />
        </Notice>
      )}
      {changes.map((change) => (
        <Change key={`${change.kind}-${change.name}`} change={change} sides={sides} />
      ))}
      {settings.length > 0 ? (
        <Card heading={t('versions.beside')}>
          <Differences differences={settings} sides={sides} />
        </Card>
      ) : null}
    </>
  );
}

interface ChangeProps {
  change: QuestionChange;
  sides: Sides;
}

function Change({ change: { kind, name, title, page, differences }, sides }: ChangeProps) {
  const { t, language } = useDashboardText();
  const words = textInLanguage(title, language);
  return (
    <Card label={words}>
      <Tag tone={TONES[kind]}>{t(`versions.${kind}`)}</Tag>
      <h2 style={{ marginTop: 8 }}>{words.replace(/<[^>]*>/g, ' ')}</h2>
      <div className="note">
        {name} · {textInLanguage(page, language)}
      </div>
      <Differences differences={differences} sides={sides} />
    </Card>
  );
}

/** The rules that can be described in words: when a question is asked, and when it is required. */
const ruleOf = ({ aspect, of }: QuestionDifference) =>
  aspect === 'logic'
    ? (['visibleIf', 'requiredIf'] as const).find((rule) => of.split('.').at(-1) === rule)
    : undefined;

function Differences({ differences, sides }: { differences: QuestionDifference[]; sides: Sides }) {
  const { t } = useDashboardText();
  const ruleInWords = (one: QuestionDifference, side: keyof Sides): string | null => {
    const rule = ruleOf(one);
    const condition = rule && one[side] ? sides[side](one[side]) : null;
    if (!condition) return null;
    return t(rule === 'visibleIf' ? 'versions.askedIf' : 'versions.requiredIf', { condition });
  };
  const textOf = (one: QuestionDifference, side: keyof Sides): string | null => {
    const value = one[side];
    if (value === null) return null;
    if (one.aspect === 'required') return t(value === 'true' ? 'audit.yes' : 'audit.no');
    return ruleInWords(one, side) ?? value;
  };
  return (
    <dl className="versions-change">
      {differences.map((one) => {
        const [before, after] = [textOf(one, 'before'), textOf(one, 'after')];
        return (
          <div key={`${one.aspect}-${one.of}`}>
            <dt>
              {t(`versions.aspect.${one.aspect}`)}
              {one.of && !ruleOf(one) ? ` · ${one.of}` : ''}
            </dt>
            <dd>
              {before === null ? null : (
                <del>
                  <span className="hidden-text">{t('versions.before')} </span>− {before}
                </del>
              )}
              {after === null ? null : (
                <ins>
                  <span className="hidden-text">{t('versions.after')} </span>+ {after}
                </ins>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** The old value, an arrow in reading direction, and the new value, each in its own text direction. */
function BeforeAndAfter({ before, after }: { before: string; after: string }) {
  return (
    <>
      <bdi>
        <del>{before}</del>
      </bdi>{' '}
      <span className="arrow">→</span>{' '}
      <bdi>
        <ins>{after}</ins>
      </bdi>
    </>
  );
}
