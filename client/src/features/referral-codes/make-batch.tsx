/** Coupons to print in advance, for anyone at a site to hand out. */
import { request } from '../../api.ts';
import { MakeForm, type Wanted } from './make-form.tsx';

interface MakeBatchProps {
  onMade(id: string, count: number): void;
  onClose(): void;
}

export function MakeBatch({ onMade, onClose }: MakeBatchProps) {
  const make = async (wanted: Wanted, count: number) => {
    const body = { ...wanted, count };
    const { id } = await request<{ id: string }>('POST', '/api/referral-codes/batches', { body });
    onMade(id, count);
  };
  return (
    <MakeForm
      texts="coupons"
      creates="ReferralCode"
      count={{ first: 300, most: 5000 }}
      make={make}
      onClose={onClose}
    />
  );
}
