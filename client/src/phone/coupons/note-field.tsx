/** The interviewer's note for reviewers. Saved when the field loses focus. */
import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

const MAX_LENGTH = 500;

interface NoteFieldProps {
  note: string;
  onSave(note: string): void;
}

export function NoteField({ note, onSave }: NoteFieldProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(note !== '');
  const [text, setText] = useState(note);
  const latest = useRef({ text, saved: note, onSave });
  latest.current = { ...latest.current, text, onSave };
  const save = () => {
    const { text: typed, saved } = latest.current;
    if (typed.trim() === saved) return;
    latest.current.saved = typed.trim();
    latest.current.onSave(typed.trim());
  };
  const atEnd = useRef(save);
  atEnd.current = save;
  useEffect(() => () => atEnd.current(), []);
  if (!isOpen)
    return (
      <Button className="no-print" variant="subtle" size="md" onClick={() => setOpen(true)}>
        {t('note.add')}
      </Button>
    );
  return (
    <Textarea
      autoComplete="off"
      className="no-print"
      label={t('note.label')}
      description={t('note.what')}
      maxLength={MAX_LENGTH}
      autosize
      minRows={2}
      autoFocus={note === ''}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={save}
    />
  );
}
