/** study.R: loads the sample into R's package RDS, repeats the estimates that the service shows, and asks sspse for the population's size. */
import { columnNames, PLACE_COLUMNS, SEED_MARK } from './sample-table.ts';

export interface StudyScript {
  outcomes: readonly { name: string; kind: 'CATEGORY' | 'NUMBER' }[];
  /** What sites are called, by id. */
  sites: ReadonlyMap<string, string>;
  people: number;
  populationSize: number | null;
}

/** Left to itself R would make numbers of codes such as 01, and of ids. */
const CLASSES: Record<(typeof PLACE_COLUMNS)[number], string> = {
  id: 'character',
  'recruiter.id': 'character',
  'network.size': 'numeric',
  wave: 'integer',
  seed: 'character',
  time: 'character',
  'max.coupons': 'integer',
};

export function studyR({ outcomes, sites, people, populationSize }: StudyScript): string {
  const names = columnNames(outcomes.map(({ name }) => name));
  const ofKind = (wanted: string) => vector(names.filter((_, at) => outcomes[at]!.kind === wanted));
  return `# Repeats the study's estimates in R. In the folder of this file:  Rscript study.R
# Of one outcome alone:  Rscript study.R OUTCOME
# For more than RDS-II, once:  install.packages(c("RDS", "sspse"))

# How many people the population has; NA: not known, and what needs it is left out.
${population(people, populationSize)}

categories <- ${ofKind('CATEGORY')}
numbers <- ${ofKind('NUMBER')}

# Only an empty cell is missing: NA, where it stands, is an answer. Codes stay as they are written.
classes <- c(${PLACE_COLUMNS.map((name) => `${name} = "${CLASSES[name]}"`).join(', ')},
  setNames(rep("character", length(categories)), categories), setNames(rep("numeric", length(numbers)), numbers))
answers <- read.csv("rds.csv", check.names = FALSE, na.strings = "", encoding = "UTF-8", colClasses = classes)

wanted <- commandArgs(trailingOnly = TRUE)
unknown <- setdiff(wanted, c(categories, numbers))
if (length(unknown) > 0) {
  message("There is no outcome ", paste(unknown, collapse = ", "), ". There are: ", paste(c(categories, numbers), collapse = ", "))
  quit(status = 1)
}
answered <- function(names) Filter(function(name) (length(wanted) == 0 || name %in% wanted) && any(!is.na(answers[[name]])), names)
categories <- answered(categories)
numbers <- answered(numbers)

# Sites by their names.
sites <- c(${[...sites].map(([id, name]) => `"${id}" = ${JSON.stringify(name)}`).join(', ')})
if ("location" %in% categories && length(sites) > 0) {
  named <- unname(sites[answers$location])
  answers$location <- ifelse(is.na(named), answers$location, named)
}

tell <- function(title, make) {
  cat("\n==", title, "==\n")
  tryCatch(print(make()), error = function(problem) cat("no estimate:", conditionMessage(problem), "\n"))
}

# RDS-II: everyone counts by 1 / network size. Sizes that are missing or 0 count as the largest one, as in the service.
size <- answers[["network.size"]]
usable <- !is.na(size) & size >= 0.001 & size <= 1e9
size[!usable] <- if (any(usable)) max(size[usable]) else 1
weight <- 1 / size
for (name in categories)
  tell(paste("RDS-II:", name), function() {
    known <- !is.na(answers[[name]])
    sums <- tapply(weight[known], answers[[name]][known], sum)
    sums / sum(sums)
  })
for (name in numbers)
  tell(paste("RDS-II:", name), function() weighted.mean(answers[[name]], weight * !is.na(answers[[name]]), na.rm = TRUE))

if (!requireNamespace("RDS", quietly = TRUE)) {
  message("The package RDS is not installed: RDS-I, Gile's SS, homophily and intervals are left out.")
  quit(status = 0)
}
library(RDS)

# Seeds have the recruiter "${SEED_MARK}". Sizes that are missing or 0 count as the largest one, as in the service.
people <- as.rds.data.frame(answers, id = "id", recruiter.id = "recruiter.id", network.size = "network.size",
  time = "time", population.size = if (is.na(population)) NULL else population,
  max.coupons = max(1, answers[["max.coupons"]], na.rm = TRUE))
print(table(wave = get.wave(people)))

# RDS-I of a number goes by three groups of about equal size, as in the service.
for (name in c(categories, numbers)) {
  tell(paste("RDS-I:", name), function() RDS.I.estimates(rds.data = people, outcome.variable = name))
  tell(paste("RDS-II by the package:", name), function() RDS.II.estimates(rds.data = people, outcome.variable = name))
  if (!is.na(population)) {
    tell(paste("Gile's SS:", name), function()
      RDS.SS.estimates(rds.data = people, outcome.variable = name, N = population))
  }
}
for (name in categories) {
  tell(paste("Recruitment homophily:", name), function()
    homophily.estimates(rds.data = people, outcome.variable = name, recruitment = TRUE))
}

# Intervals of Gile's SS. The service shows those of the tree bootstrap first, which are wider and hold where these do not.
if (!is.na(population)) {
  set.seed(1)
  for (name in categories) {
    tell(paste("Gile's SS with interval:", name), function()
      RDS.bootstrap.intervals(people, outcome.variable = name, weight.type = "Gile's SS", uncertainty = "Gile",
        N = population, number.of.bootstrap.samples = 1000))
  }
}

# The population's size from the order in which network sizes came (SS-PSE), before which something must be believed:
# here that it is about the size above, or else five times the sample. It takes some minutes.
if (requireNamespace("sspse", quietly = TRUE)) {
  believed <- if (is.na(population)) 5 * nrow(answers) else population
  tell(paste("SS-PSE, believed before:", believed), function()
    summary(sspse::posteriorsize(people, median.prior.size = believed)))
}
`;
}

/** One below the sample would have the package refuse all that needs it. */
function population(people: number, size: number | null): string {
  if (size === null) return 'population <- NA';
  if (size >= people) return `population <- ${size}`;
  return `# The study says ${size}, fewer than the ${people} in the sample, which cannot be.\npopulation <- NA`;
}

/** An empty one is no text to R. */
const vector = (names: string[]) =>
  names.length === 0 ? 'character(0)' : `c(${names.map((name) => JSON.stringify(name)).join(', ')})`;
