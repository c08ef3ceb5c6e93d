// One process for all suites: from its own modules, unbundled, mathjs takes a second to load.
import './arithmetic.suite.ts';
import './percent.suite.ts';
import './python.suite.ts';
import './japanese.suite.ts';
import './units.suite.ts';
import './format.suite.ts';
import './refusals.suite.ts';
import './limits.suite.ts';
import './tool.suite.ts';
