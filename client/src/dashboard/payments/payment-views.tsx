/** The pages next to payments: closed days, text messages, and gift cards. */
import { useParams } from 'react-router';
import Cards from './cards.tsx';
import ClosedCashDays from './closed-days.tsx';
import Messages from './messages.tsx';

export default function PaymentViews() {
  const { view } = useParams();
  if (view === 'messages') return <Messages />;
  return view === 'cards' ? <Cards /> : <ClosedCashDays />;
}
