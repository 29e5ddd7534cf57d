/**
 * Loads the sample for requests: what the study table does not have, and the whole sample for files and bootstrap runs.
 */
import type { Types } from 'mongoose';
import { LocationModel } from '../../study/locations/model.ts';
import {
  type RequestedRound,
  type RoundReference,
  requestedRound,
  settingsAtClosing,
  settingsOfRound,
  siteSizeSettingsOf,
} from '../../study/rounds/requested.ts';
import { loadStudy, type StudyRecord } from '../../study/settings/model.ts';
import { queryStudyTable } from '../study-table/ask.ts';
import { createStudyTableQuery } from '../study-table/table-query.ts';
import { type SampleContext, type SampleOptions, sampleOf, type TableSample } from './sample.ts';

export interface StudySample extends Omit<TableSample, 'n' | 'idOf' | 'versionOf'> {
  ids: string[];
  /** The time of the data. */
  asOf: Date;
  /** The settings. A closed round has its own sizes. */
  study: StudyRecord;
  round: RoundReference;
}

export const sampleFromStudyTable = createStudyTableQuery(
  'sample',
  (table, request: SampleOptions & SampleContext) => {
    const { n, idOf, versionOf: _versionOf, ...sample } = sampleOf(table, request);
    return { ids: Array.from({ length: n }, (_, row) => idOf(row)), ...sample };
  },
);

export interface SampleRequest extends SampleOptions {
  now: Date;
  /** Replaces the study's own outcomes. */
  computed?: StudyRecord['outcomes'];
  approved?: StudyRecord['approvedFormulas'];
}

export async function loadSample({
  now,
  computed,
  approved,
  ...request
}: SampleRequest): Promise<StudySample> {
  const { settings, context } = await loadRoundContext(request.window.round);
  const own = { ...(computed && { computed }), ...(approved && { approved }) };
  const sample = await queryStudyTable(sampleFromStudyTable, { ...request, ...context, ...own });
  return { ...sample, asOf: now, study: settings, round: context.round };
}

interface RoundContext {
  requested: RequestedRound;
  settings: StudyRecord;
  /** All settings when the round was closed; null for an open round. */
  closedSettings: Partial<StudyRecord> | null;
  context: SampleContext;
}

/** The context of the round with this id, or of the default round; 400 if there is none. */
export async function loadRoundContext(id?: string | null): Promise<RoundContext> {
  const cursor = LocationModel.collection.find<{ _id: Types.ObjectId; name: string }>(
    {},
    { projection: { name: 1 } },
  );
  const [study, requested, sites] = await Promise.all([loadStudy(), requestedRound(id), cursor.toArray()]);
  const closedSettings = await settingsAtClosing(requested);
  const settings = { ...settingsOfRound(study, requested), ...siteSizeSettingsOf(closedSettings, study) };
  const places = new Map(sites.map(({ _id, name }) => [_id.toHexString(), { en: name }]));
  return {
    requested,
    settings,
    closedSettings,
    context: {
      computed: settings.outcomes,
      approved: settings.approvedFormulas,
      places,
      round: requested.ref,
    },
  };
}
