// Both kinds of service are used in the same way.
import { openRecordedN8n } from './recordedN8nSubject.ts';
import { describeScenarios } from './scenarios.ts';
import { openService } from './serviceSubject.ts';

describeScenarios('the local service', openService);
describeScenarios('an n8n', () => openRecordedN8n());
describeScenarios('an n8n of version 1', () => openRecordedN8n(1));
