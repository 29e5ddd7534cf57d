/** The step after the last question in studies that pay people: what is handed over now, and the claim number. */
import { useState } from 'react';
import type { Draft } from '../../device/store/store.ts';
import type { DraftWriter } from '../../offline/drafts.ts';
import { incentiveTermsOf } from '../../session/incentives.ts';
import { shieldFromTaps } from '../../ui/tap-shield.ts';
import type { IncentiveHandedOver, Study } from '../../wire.ts';
import { IncentiveHandOver } from '../payments/hand-over.tsx';

interface HandOverOptions {
  draft: Draft;
  study: Study | undefined;
  writer: DraftWriter;
  /** Called when another screen is shown. */
  onMoved(): void;
}

export function useIncentiveStep({ draft, study, writer, onMoved }: HandOverOptions) {
  const pays = incentiveTermsOf(study);
  const [handed, setHanded] = useState<IncentiveHandedOver | null | undefined>(draft.incentive);
  const [openStep, setOpenStep] = useState<{ takesPart: boolean } | null>(null);
  const [isMissing, setMissing] = useState(false);
  const show = (next: typeof openStep) => {
    shieldFromTaps();
    setOpenStep(next);
    onMoved();
  };
  /** Whether the interview can be finished. If not, shows this step or what is missing in it. */
  const requireAnswer = (takesPart: boolean): boolean => {
    // If something was handed over, it is recorded even for people who turn out not to be eligible.
    if (!(pays && takesPart) && !handed) return true;
    if (!openStep) show({ takesPart });
    else if (pays?.interview && handed === undefined) setMissing(true);
    else return true;
    return false;
  };
  const step = openStep ? (
    <IncentiveHandOver
      draft={draft}
      pays={openStep.takesPart ? pays : null}
      value={handed}
      isMissing={isMissing && handed === undefined}
      onChange={(incentive) => {
        setHanded(incentive);
        writer.saveTyped({ incentive });
      }}
      onClaimNumber={(walkInCode) => writer.save({ walkInCode })}
    />
  ) : null;
  return { step, requireAnswer, leave: () => show(null) };
}
