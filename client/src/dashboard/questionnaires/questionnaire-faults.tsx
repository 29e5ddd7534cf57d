/** Errors, each with a link to its question. */
import { faultText } from '../../session/fault-text.ts';
import { Notice } from '../../ui/notice.tsx';
import type { FieldError } from '../../wire.ts';
import { useBuilderText } from './build/use-build.ts';
import { useDefinitionPathLabel } from './build/use-path-label.ts';

const MAX_FAULTS = 12;
/** Error path if no question has this name; the service may find more errors there. */
const NETWORK_SIZE = 'networkSizeQuestion';

interface FaultsProps {
  faults: FieldError[];
  /** Null if the JSON is invalid. */
  definition: object | null;
  onGo(fault: FieldError): void;
}

export function Faults({ faults, definition, onGo }: FaultsProps) {
  const { own, t } = useBuilderText();
  const label = useDefinitionPathLabel(definition);
  const words = useFaultWords();
  if (faults.length === 0) return <Notice tone="good" title={t('versions.fine')} />;
  const isOpen = faults.every(isYetToFill);
  const title = isOpen ? own('start.todo') : t('versions.faults', { count: faults.length });
  return (
    <Notice tone={isOpen ? 'info' : 'bad'} live title={title}>
      <ul className="versions-faults">
        {faults.slice(0, MAX_FAULTS).map((fault) => (
          <li key={`${fault.path}-${fault.message}`}>
            {label(fault.path) === null ? (
              <>
                <code dir="ltr">{fault.path}</code>: <bdi>{words(fault)}</bdi>
              </>
            ) : (
              <button type="button" onClick={() => onGo(fault)}>
                <bdi>{label(fault.path)}</bdi>:{' '}
                <bdi>{isUnreadable(fault) ? own('formula.unreadable') : words(fault)}</bdi>
              </button>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Still to be filled in, which is normal for a new questionnaire. */
const isYetToFill = ({ path, code, message }: FieldError): boolean =>
  path === 'name' || (path === NETWORK_SIZE && !code && message === '');

/** The message's place is already shown next to it. */
const isUnreadable = ({ code }: FieldError): boolean =>
  code === 'EXPRESSION_UNREADABLE' || code === 'OWN_EXPRESSION_UNREADABLE';

function useFaultWords() {
  const { own, t } = useBuilderText();
  return (fault: FieldError): string => {
    if (fault.path === NETWORK_SIZE && !fault.code && fault.message === '') return own('start.sizeMissing');
    return fault.path === NETWORK_SIZE && !fault.code
      ? t('versions.noNetworkSize', { name: fault.message })
      : faultText(fault);
  };
}
