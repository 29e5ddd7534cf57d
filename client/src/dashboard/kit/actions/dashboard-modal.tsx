/** A modal of the dashboard, centered, with a close button. */
import { Modal, type ModalProps } from '@mantine/core';
import { useDashboardText } from '../words/dashboard-text.ts';

export function DashboardModal(props: Omit<ModalProps, 'opened' | 'closeButtonProps'>) {
  const { t } = useDashboardText();
  return (
    <Modal opened centered closeButtonProps={{ 'aria-label': t('common.close'), size: 48 }} {...props} />
  );
}
