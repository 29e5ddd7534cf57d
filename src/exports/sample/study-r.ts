/**
 * study.R: loads the sample into R's package RDS, repeats the service's estimates, and estimates the population size
 * with sspse.
 */
import { columnNames, PLACE_COLUMNS, SEED_MARK } from './sample-table.ts';

export interface StudyScript {
  outcomes: readonly { name: string; kind: 'CATEGORY' | 'NUMBER'; notAsked: number }[];
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
  const notAsked = outcomes.flatMap((one, at) =>
    one.notAsked > 0 ? [`${JSON.stringify(names[at])} = ${one.notAsked}`] : [],
  );
  const ofKind = (wanted: string) => vector(names.filter((_, at) => outcomes[at]!.kind === wanted));
  return `# Repeats the study's estimates in R. In the folder of this file:  Rscript study.R
# Of one outcome alone:  Rscript study.R OUTCOME
# Once:  install.packages(c("survey", "RDS", "sspse"))

# How many people the population has; NA: not known, and what needs it is left out.
${population(people, populationSize)}

categories <- ${ofKind('CATEGORY')}
numbers <- ${ofKind('NUMBER')}

# How many people each outcome was not asked, because their version of the questionnaire doesn't have it.
not.asked <- c(${notAsked.join(', ')})

# Only an empty cell is missing: NA, where it stands, is an answer. Codes stay as they are written.
classes <- c(${PLACE_COLUMNS.map((name) => `${name} = "${CLASSES[name]}"`).join(', ')},
  setNames(rep("character", length(categories)), categories), setNames(rep("numeric", length(numbers)), numbers))
answers <- read.csv("rds.csv", check.names = FALSE, na.strings = "", encoding = "UTF-8", colClasses = classes)

options(width = 140)
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
named <- function(name, levels) {
  if (name != "location") return(levels)
  ifelse(is.na(sites[levels]), levels, sites[levels])
}

tell <- function(title, make) {
  cat("\n==", title, "==\n")
  tryCatch(print(make()), error = function(problem) cat("no estimate:", conditionMessage(problem), "\n"))
}

# RDS-II weights (1 / network size; sizes that are missing or 0 count as the largest one), and the replicate weights of the
# tree bootstrap: how often a replicate drew the interview, times its weight.
weights <- read.csv("weights.csv", colClasses = c(id = "character"))
weights <- weights[match(answers$id, weights$id), ]
replicates <- as.matrix(weights[grep("^rep_[0-9]+$", names(weights))])
service <- read.csv("estimates.csv", na.strings = "", encoding = "UTF-8", colClasses = c(outcome = "character", level = "character"))

# A very large sample has no replicate weights: its intervals are in estimates.csv.
hasReplicates <- ncol(replicates) > 0
bySurvey <- hasReplicates && requireNamespace("survey", quietly = TRUE)
if (bySurvey) {
  # With this scale the standard error is the standard deviation of the replicates.
  design <- survey::svrepdesign(data = weights, weights = ~rds_ii_weight, repweights = "^rep_[0-9]+$", type = "other",
    combined.weights = TRUE, scale = 1 / (ncol(replicates) - 1), rscales = rep(1, ncol(replicates)), mse = FALSE)
} else if (hasReplicates) message('The package survey is not installed, so plain R is used. To install it: install.packages("survey")')

# The mean of a number, or the share of a level as the mean of 0 and 1: estimate, standard error, and each replicate's mean.
meanOf <- function(y) {
  known <- !is.na(y)
  if (!hasReplicates) return(c(weighted.mean(y[known], weights$rds_ii_weight[known]), NA, NA, NA))
  made <- colSums(replicates[known, , drop = FALSE] * y[known]) / colSums(replicates[known, , drop = FALSE])
  if (bySurvey) {
    design$variables$y <- y
    found <- survey::svymean(~y, design, na.rm = TRUE)
    figures <- c(coef(found), survey::SE(found))
  } else figures <- c(weighted.mean(y[known], weights$rds_ii_weight[known]), sd(made, na.rm = TRUE))
  # Replicates that are all alike tell nothing of the error.
  if (diff(range(made, na.rm = TRUE)) <= 1e-9 * abs(figures[1])) return(c(figures[1], NA, NA, NA))
  c(figures, quantile(made, c(0.025, 0.975), na.rm = TRUE))
}

# Beside each figure the service's own, as it stood when the files were made.
compared <- function(name) {
  y <- answers[[name]]
  levels <- if (name %in% categories) sort(unique(y[!is.na(y)])) else NA
  made <- t(vapply(levels, function(level) meanOf(if (is.na(level)) y else as.numeric(y == level)), numeric(4)))
  mine <- service[service$outcome == name, ]
  mine <- mine[match(levels, mine$level), ]
  table <- data.frame(made, mine$rds_ii, mine$standard_error, mine$low, mine$high)
  names(table) <- c("estimate", "SE", "low", "high", "service", "service.SE", "service.low", "service.high")
  rownames(table) <- make.unique(if (is.na(levels[1])) "mean" else named(name, levels))
  table
}
apart <- 0
# Empty cells are of people who gave no answer (missing) and of those who were not asked.
for (name in c(categories, numbers)) {
  answered.by <- sum(!is.na(answers[[name]]))
  unasked <- if (name %in% names(not.asked)) not.asked[[name]] else 0
  cat("\n", name, ": ", answered.by, " answered, ", nrow(answers) - answered.by - unasked, " missing, ", unasked, " not asked\n", sep = "")
  tell(paste("RDS-II with 95 % interval of the tree bootstrap:", name), function() {
    table <- compared(name)
    apart <<- max(apart, abs(table$estimate - table$service), abs(table$SE - table$service.SE), na.rm = TRUE)
    table
  })
}
cat("\nLargest difference from the service, of estimates and standard errors:", format(apart, digits = 2), "\n")

# Sensitivity: RDS-II of each level if sizes were other than people said, and without seeds and first waves.
sizes <- answers[["network.size"]]
sizes[is.na(sizes) | sizes == 0] <- max(sizes, 1, na.rm = TRUE)
rdsII <- function(y, d, keep = rep(TRUE, length(y))) {
  known <- keep & !is.na(y)
  if (!any(known)) return(NA)
  weighted.mean(y[known], 1 / d[known])
}
misreported <- function(y, sigma, times = 200) {
  made <- replicate(times, rdsII(y, sizes * exp(sigma * rnorm(length(sizes)))))
  quantile(made, c(0.025, 0.975), na.rm = TRUE)
}
visibility <- NULL
sensitivity <- function(name) {
  y.all <- answers[[name]]
  levels <- if (name %in% categories) sort(unique(y.all[!is.na(y.all)])) else NA
  made <- t(vapply(levels, function(level) {
    y <- if (is.na(level)) y.all else as.numeric(y.all == level)
    trimmed <- vapply(c(0.9, 0.95, 0.99), function(at) rdsII(y, pmin(sizes, quantile(sizes, at))), numeric(1))
    later <- vapply(1:3, function(wave) rdsII(y, sizes, answers$wave >= wave), numeric(1))
    imputed <- if (is.null(visibility)) NA else rdsII(y, visibility)
    c(rdsII(y, sizes), misreported(y, 0.3), misreported(y, 0.6), trimmed, imputed, later)
  }, numeric(12)))
  colnames(made) <- c("RDS-II", "0.3 low", "0.3 high", "0.6 low", "0.6 high", "trim 90 %", "trim 95 %", "trim 99 %", "visibility", "no seeds", "from wave 2", "from wave 3")
  rownames(made) <- make.unique(if (is.na(levels[1])) "mean" else named(name, levels))
  made
}
set.seed(1)
# Sizes that each person sees of themselves and others, modelled by the package RDS.
if (requireNamespace("RDS", quietly = TRUE)) {
  visibility <- tryCatch({
    frame <- RDS::as.rds.data.frame(answers, id = "id", recruiter.id = "recruiter.id", network.size = "network.size", time = "time",
      max.coupons = max(1, answers[["max.coupons"]], na.rm = TRUE))
    imputed <- RDS::impute.visibility(frame, type.impute = "median")
    as.numeric(if (is.list(imputed)) imputed$visibility else imputed)
  }, error = function(problem) { cat("no imputed visibility:", conditionMessage(problem), "\n"); NULL })
  if (length(visibility) != nrow(answers)) visibility <- NULL
}
for (name in c(categories, numbers))
  tell(paste("Sensitivity to sizes (times a lognormal factor of this sigma; trimmed; imputed), seeds and first waves:", name), function() sensitivity(name))

# A regression with the replicate weights: each category of two levels by the category before it.
if (bySurvey) for (at in seq_along(categories)[-1]) {
  name <- categories[at]
  by <- categories[at - 1]
  y <- answers[[name]]
  if (length(unique(y[!is.na(y)])) != 2 || !(length(unique(answers[[by]])) %in% 2:12)) next
  tell(paste("Logistic regression (svyglm):", name, "by", by), function() {
    design$variables$y <- as.numeric(y == max(y, na.rm = TRUE))
    design$variables$x <- factor(answers[[by]])
    summary(survey::svyglm(y ~ x, design = design, family = quasibinomial(), na.action = na.omit))$coefficients
  })
}

# The package RDS below knows sites by their names too.
if ("location" %in% categories) answers$location <- unname(named("location", answers$location))

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
# here that it is about the size above, or else five times the sample. It takes some minutes a belief.
if (requireNamespace("sspse", quietly = TRUE)) {
  believed <- if (is.na(population)) 5 * nrow(answers) else population
  # With half and twice of it too: what changes with the belief is not in the data.
  for (prior in round(believed * c(0.5, 1, 2))) if (prior > nrow(answers))
    tell(paste("SS-PSE, believed before:", prior), function()
      summary(sspse::posteriorsize(people, median.prior.size = prior)))
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
