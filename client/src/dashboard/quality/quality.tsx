/** Findings of the quality checks: one row per interviewer and check, which opens its findings. */
import { useFilters } from '../kit/list/address.ts';
import { FindingGroups } from './finding-groups.tsx';
import { QualityFindings } from './findings.tsx';

export default function Quality() {
  const { check, interviewer, dismissed } = useFilters(['check', 'interviewer', 'dismissed']).values;
  const isOpened = check !== '' && interviewer !== '';
  return isOpened || dismissed === 'true' ? <QualityFindings isOpened={isOpened} /> : <FindingGroups />;
}
