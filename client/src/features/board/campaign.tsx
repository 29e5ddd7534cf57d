/** The home page of who runs the campaign and works at no site: how it goes, above what every home page has. */
import './board.css';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useDeskText } from '../../desk/desk-text.ts';
import { useGet } from '../../desk/use-list.tsx';
import { numberOf } from '../../i18n.ts';
import { Card } from '../../ui/page.tsx';
import Home from '../home/home.tsx';
import { PaceWords } from './board-pace.tsx';
import { type FirstTotals, type Pace, pacePath, totalsPath } from './board-wire.ts';

const EVERY = 60_000;
const LINKS = ['board', 'results'] as const;

export default function Campaign() {
  return <Home instead={<Head />} />;
}

function Head() {
  const { t, language } = useDeskText();
  const pace = useGet<Pace>(pacePath(''), { every: EVERY }).data;
  const totals = useGet<FirstTotals>(totalsPath({ location: '', from: '', to: '' }), { every: EVERY }).data;
  const figures = [
    ['today', t('progress.today'), pace?.today],
    ['completed', t('board.completed'), totals?.completed],
    ['inProgress', t('board.inProgress'), totals?.inProgress],
    ['flagged', t('board.flagged'), totals?.flagged],
  ] as const;
  return (
    <Card label={t('campaign.title')}>
      <Text fw={650} component="h2" size="lg">
        {t('campaign.title')}
      </Text>
      {pace ? <PaceWords pace={pace} /> : null}
      <dl className="board-figures" style={{ marginBlock: 12 }}>
        {figures.map(([key, label, value]) => (
          <div key={key} className="board-figure" data-figure={key}>
            <dt>{label}</dt>
            <dd className="board-number">{value === undefined ? '…' : numberOf(value, language)}</dd>
          </div>
        ))}
      </dl>
      {LINKS.map((label) => (
        <Anchor key={label} component={Link} to={`/desk/${label}`} className="tall-link" me="md">
          {t(`campaign.${label}`)}
        </Anchor>
      ))}
    </Card>
  );
}
