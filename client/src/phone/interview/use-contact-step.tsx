/**
 * The step after the last question in studies that text people: whether this person wants text messages, and to which
 * number.
 */
import { useState } from 'react';
import type { ContactInput } from '../../../../src/interviews/contacts/schema.ts';
import type { Draft } from '../../device/store/store.ts';
import type { DraftWriter } from '../../offline/drafts.ts';
import { shieldFromTaps } from '../../ui/tap-shield.ts';
import type { Study } from '../../wire.ts';
import { ContactStep } from './contact-step.tsx';

interface ContactOptions {
  draft: Draft;
  study: Study | undefined;
  writer: DraftWriter;
  /** The interview's language. */
  language: string;
  onMoved(): void;
}

export function useContactStep({ draft, study, writer, language, onMoved }: ContactOptions) {
  const isAsked = study?.contacts === 'SMS';
  const [contact, setContact] = useState<ContactInput | null | undefined>(draft.contact);
  const [isShown, setShown] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const show = (next: boolean) => {
    shieldFromTaps();
    setShown(next);
    onMoved();
  };
  /** Whether the person has answered, or doesn't have to. If not, shows this step or what is missing in it. */
  const requireAnswer = (takesPart: boolean): boolean => {
    if (!isAsked || !takesPart) return true;
    if (!isShown) show(true);
    else if (contact === undefined || contact?.phone.trim() === '') setMissing(true);
    else return true;
    return false;
  };
  const step =
    isShown && study ? (
      <ContactStep
        words={study.contactConsent}
        language={language}
        value={contact}
        isMissing={isMissing}
        onChange={(next) => {
          setContact(next);
          setMissing(false);
          writer.saveTyped({ contact: next });
        }}
      />
    ) : null;
  return { step, requireAnswer, leave: () => show(false) };
}
