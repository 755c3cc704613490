// Why: the client with all its reading tables, in a bundle of its own that is loaded with the first call, not at activation.
export { createBudget } from './budget.ts';
export { createClient } from './createClient.ts';
export { createSettingsClient } from './settingsClient.ts';
