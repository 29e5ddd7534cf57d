/** The pages next to payments: closed days, text messages, and gift cards. */
import { useParams } from 'react-router';
import CardsPage from './cards.tsx';
import ClosedCashDays from './closed-days.tsx';
import MessagesPage from './messages.tsx';

export default function PaymentSubpage() {
  const { view } = useParams();
  if (view === 'messages') return <MessagesPage />;
  return view === 'cards' ? <CardsPage /> : <ClosedCashDays />;
}
