// Random formulas for the satisfiability of clauses of three literals, as a graph of clauses and variables.
#pragma once

#include <vector>

#include "../common/random.hpp"

constexpr int kLiterals = 3;  // of a clause

// A literal is 2 * variable, and one more where the variable is negated.
inline int variableOf(int literal) { return literal / 2; }

// Occurrence: 3 * clause + place in the clause.
struct Formula {
  int variables = 0;
  std::vector<int> literals;     // by occurrence
  std::vector<int> offsets;      // per variable its first occurrence in the next array, and the end of the last
  std::vector<int> occurrences;  // of each variable, in the order of the clauses
  int clauses() const { return int(literals.size()) / kLiterals; }
};

inline void indexOccurrences(Formula& formula) {
  formula.offsets.assign(formula.variables + 1, 0);
  for (const int literal : formula.literals) ++formula.offsets[variableOf(literal) + 1];
  for (int variable = 0; variable < formula.variables; ++variable) formula.offsets[variable + 1] += formula.offsets[variable];
  formula.occurrences.resize(formula.literals.size());
  std::vector<int> next(formula.offsets.begin(), formula.offsets.end() - 1);
  for (int occurrence = 0; occurrence < int(formula.literals.size()); ++occurrence)
    formula.occurrences[next[variableOf(formula.literals[occurrence])]++] = occurrence;
}

// Each clause has three variables, all different, each negated or not with equal chance.
inline Formula randomFormula(int variables, int clauses, workloads::Random& random) {
  Formula formula{variables, {}, {}, {}};
  for (int clause = 0; clause < clauses; ++clause) {
    int chosen[kLiterals];
    for (int place = 0; place < kLiterals; ++place) {
      bool isNew = false;
      while (!isNew) {
        chosen[place] = int(random.below(variables));
        isNew = true;
        for (int before = 0; before < place; ++before) isNew = isNew && chosen[before] != chosen[place];
      }
    }
    for (const int variable : chosen) formula.literals.push_back(2 * variable + int(random.below(2)));
  }
  indexOccurrences(formula);
  return formula;
}
