/** On a phone: the pages of the dashboard, as a list. */
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useOpenScreens } from '../open-screens.ts';
import { Icon } from '../parts/icon.tsx';
import { Card, Page } from '../parts/page.tsx';
