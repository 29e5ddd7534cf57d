/** What a tree is colored by, stored in the URL: waves, sites, or the answers to one question. */

import { useMemo } from 'react';
import { useActiveQuestionnaire, useLocationName, useQuestionnaire } from '../../../session/records.ts';
import { usePalette } from '../../kit/charts/palette.ts';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import {
  choiceQuestions,
  type QuestionOutline,
  textInLanguage,
} from '../../questionnaires/questionnaire-outline.ts';
import { type ColorKind, colorTree, type TreeColors } from './tree-color.ts';
import type { TreeNode } from './tree-layout.ts';

/** The active questionnaire's questions with choices, except those that identify people. */
export function useColorQuestions(): QuestionOutline[] {
  const { data } = useQuestionnaire(useActiveQuestionnaire());
  return useMemo(() => {
    const clues = data?.identityQuestions ?? [];
    return data ? choiceQuestions(data.definition).filter(({ name }) => !clues.includes(name)) : [];
  }, [data]);
}

/** The text of a stored answer. Several choices are stored as one text with commas. */
export function answerText(question: QuestionOutline, value: TreeNode['value'], language: string): string {
  if (value === null) return '';
  const one = (part: string) => {
    const choice = question.choices.find((candidate) => candidate.value === part);
    return choice ? textInLanguage(choice.text, language) : part;
  };
  return String(value).split(', ').map(one).join(', ');
}

export function useTreeColors(
  nodes: TreeNode[],
  by: string,
  question: QuestionOutline | undefined,
): TreeColors {
  const { t, language } = useDashboardText();
  const siteOf = useLocationName();
  const palette = usePalette();
  // biome-ignore lint/correctness/useExhaustiveDependencies: siteOf is new on each render, but the names behind it are stable
  return useMemo(() => {
    const kind: ColorKind | null =
      by === 'site'
        ? { keyOf: ({ location }) => location, labelOf: ({ location }) => siteOf(location) }
        : question
          ? {
              keyOf: ({ value }) => (value === null ? 'unknown' : String(value)),
              labelOf: ({ value }) => answerText(question, value, language),
            }
          : null;
    const wave = (first: number, last: number) =>
      first === last ? t('tree.wave', { wave: first }) : t('tree.waves', { first, last });
    const words = { other: t('tree.otherValues'), unknown: t('tree.noValue'), wave };
    return colorTree(nodes, { kind, palette, words });
  }, [nodes, by, question, language, t, palette, siteOf('')]);
}
