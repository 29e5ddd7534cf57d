/** study.R: loads the sample into R's package RDS, repeats the estimates that the service shows, and asks sspse for the population's size. */
import { columnNames, SEED_MARK } from './sample-table.ts';

export interface StudyScript {
  outcomes: readonly { name: string; kind: 'CATEGORY' | 'NUMBER' }[];
  populationSize: number | null;
}

export function studyR({ outcomes, populationSize }: StudyScript): string {
  const names = columnNames(outcomes.map(({ name }) => name));
  const ofKind = (wanted: string) => vector(names.filter((_, at) => outcomes[at]!.kind === wanted));
  return `# Repeats the study's estimates in R. In the folder of this file:  Rscript study.R
# Needs, once:  install.packages(c("RDS", "sspse"))
library(RDS)

# How many people the population has; NA: not known, and what needs it is left out.
population <- ${populationSize ?? 'NA'}

table <- read.csv("rds.csv", check.names = FALSE, na.strings = c("", "NA"), encoding = "UTF-8",
  colClasses = c(id = "character", recruiter.id = "character", seed = "character", time = "character"))
categories <- ${ofKind('CATEGORY')}
numbers <- ${ofKind('NUMBER')}
for (name in categories) table[[name]] <- as.character(table[[name]])

# Seeds have the recruiter "${SEED_MARK}". Sizes that are missing or 0 count as the largest one, as in the service.
sample <- as.rds.data.frame(table, id = "id", recruiter.id = "recruiter.id", network.size = "network.size",
  time = "time", population.size = if (is.na(population)) NULL else population,
  max.coupons = max(1, table[["max.coupons"]], na.rm = TRUE))
print(table(wave = get.wave(sample)))

show <- function(title, make) {
  cat("\\n==", title, "==\\n")
  tryCatch(print(make()), error = function(problem) cat("no estimate:", conditionMessage(problem), "\\n"))
}

for (name in categories) {
  show(paste("RDS-I:", name), function() RDS.I.estimates(rds.data = sample, outcome.variable = name))
  show(paste("Recruitment homophily:", name), function()
    homophily.estimates(rds.data = sample, outcome.variable = name, recruitment = TRUE))
}
for (name in c(categories, numbers)) {
  show(paste("RDS-II:", name), function() RDS.II.estimates(rds.data = sample, outcome.variable = name))
  if (!is.na(population)) {
    show(paste("Gile's SS:", name), function()
      RDS.SS.estimates(rds.data = sample, outcome.variable = name, N = population))
  }
}

# Intervals of Gile's SS. The service shows those of the tree bootstrap first, which are wider and hold where these do not.
if (!is.na(population)) {
  set.seed(1)
  for (name in categories) {
    show(paste("Gile's SS with interval:", name), function()
      RDS.bootstrap.intervals(sample, outcome.variable = name, weight.type = "Gile's SS", uncertainty = "Gile",
        N = population, number.of.bootstrap.samples = 1000))
  }
}

# The population's size from the order in which network sizes came (SS-PSE), before which something must be believed:
# here that it is about the size above, or else five times the sample. It takes some minutes.
if (requireNamespace("sspse", quietly = TRUE)) {
  believed <- if (is.na(population)) 5 * nrow(table) else population
  show(paste("SS-PSE, believed before:", believed), function()
    summary(sspse::posteriorsize(sample, median.prior.size = believed)))
}
`;
}

/** An empty one is no text to R. */
const vector = (names: string[]) =>
  names.length === 0 ? 'character(0)' : `c(${names.map((name) => JSON.stringify(name)).join(', ')})`;
