/** A modal of the dashboard, centered, with a close button. */
import { Modal, type ModalProps } from '@mantine/core';
import { useDeskText } from '../words/desk-text.ts';

export function DeskModal(props: Omit<ModalProps, 'opened' | 'closeButtonProps'>) {
  const { t } = useDeskText();
  return (
    <Modal opened centered closeButtonProps={{ 'aria-label': t('common.close'), size: 48 }} {...props} />
  );
}
