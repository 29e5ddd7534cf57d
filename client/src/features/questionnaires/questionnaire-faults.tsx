/** What is wrong, in words, each leading to its line or to its question. */
import { useDeskText } from '../../desk/desk-text.ts';
import { faultText } from '../../fault-text.ts';
import { Notice } from '../../ui/notice.tsx';
import type { FieldError } from '../../wire.ts';
import { lineOf } from './questionnaire-json.ts';
import type { PlacedFault } from './questionnaire-judged.ts';

const MOST = 12;
/** That there is none of that name; the service may find more. */
const NETWORK_SIZE = 'networkSizeQuestion';

interface FaultsProps {
  faults: PlacedFault[];
  text: string;
  onGo(fault: PlacedFault): void;
}

export function Faults({ faults, text, onGo }: FaultsProps) {
  const { t } = useDeskText();
  if (faults.length === 0) return <Notice tone="good" title={t('versions.fine')} />;
  const words = (fault: FieldError) =>
    fault.path === NETWORK_SIZE && !fault.code
      ? t('versions.noNetworkSize', { name: fault.message })
      : faultText(fault);
  return (
    <Notice tone="bad" live title={t('versions.faults', { count: faults.length })}>
      <ul className="versions-faults">
        {faults.slice(0, MOST).map((fault) => (
          <li key={`${fault.path}-${fault.message}`}>
            {fault.at === null ? (
              <>
                <code dir="ltr">{fault.path}</code>: <bdi>{words(fault)}</bdi>
              </>
            ) : (
              <button type="button" onClick={() => onGo(fault)}>
                {t('versions.line', { line: lineOf(text, fault.at) })}: <bdi>{words(fault)}</bdi>{' '}
                <code dir="ltr">{fault.path}</code>
              </button>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
