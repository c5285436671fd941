#include "ptx/instruction_parser.hpp"

#include "ptx/operand_checker.hpp"

namespace warpwright::ptx {
namespace {

using Class = OperandPattern::Class;

Guard parseGuard(Context& context) {
  Guard guard;
  if (!context.cursor.accept("@")) return guard;
  guard.negated = context.cursor.accept("!");
  const ParsedOperand parsed = parseOperand(context);
  const Operand& operand = parsed.operand;
  if (operand.kind != Operand::Kind::reg || context.function->typeOf(operand.reg) != Type::pred || operand.negated || parsed.second)
    context.fail(parsed.token, "a guard must be a predicate register", "write @%p or @!%p with %p declared by .reg .pred");
  guard.reg = operand.reg;
  return guard;
}

// Label operands wait for the end of the function.
void rememberLabels(Context& context, const Row& row, const std::vector<ParsedOperand>& parsed) {
  const u32 position = static_cast<u32>(context.function->function().body.size());
  for (u32 i = 0; i < row.operands.size() && i < parsed.size(); ++i) {
    if (row.operands[i].kind == Class::label) context.function->referToLabel(parsed[i].token, position, i, SymbolKind::label);
    if (row.operands[i].kind == Class::labelList) context.function->referToLabel(parsed[i].token, position, i, SymbolKind::branch_targets);
  }
}

void takeBestMatch(Context& context, const Token& word, const std::vector<Match>& matches, Instruction& instruction) {
  const std::vector<ParsedOperand> parsed = parseOperands(context);
  std::optional<Mismatch> furthest;
  for (const Match& match : matches) {
    std::optional<Mismatch> mismatch = checkOperands(context, match, parsed, instruction);
    if (!mismatch) {
      instruction.modifiers = match.modifiers;
      rememberLabels(context, *match.row, parsed);
      return;
    }
    if (!furthest || mismatch->progress > furthest->progress) furthest = std::move(mismatch);
  }
  context.fail(furthest->token, Cursor::describe(word) + ": " + furthest->message);
}

}  // namespace

void parseInstruction(Context& context) {
  const Token first = context.cursor.peek();
  Instruction instruction;
  instruction.guard = parseGuard(context);
  const Token word = context.cursor.peek();
  if (word.kind != Token::Kind::word) context.fail(word, "expected an instruction, found " + Cursor::describe(word));
  const std::vector<Match>& matches = context.matchesOf(word.text);
  if (matches.empty()) failUnsupported(context, first, word);
  context.cursor.next();
  instruction.opcode = matches.front().row->opcode;
  instruction.line = first.line;
  instruction.column = first.column;
  instruction.sourceFile = context.function->sourceFile;
  instruction.sourceLine = context.function->sourceLine;
  if (instruction.opcode == Opcode::call) {
    instruction.modifiers = matches.front().modifiers;
    parseCallOperands(context, instruction);
  } else {
    takeBestMatch(context, word, matches, instruction);
  }
  const Token end = context.cursor.expect(";", "after the instruction " + Cursor::describe(word));
  instruction.text = plainText(first, end);
  context.function->function().body.push_back(std::move(instruction));
}

}  // namespace warpwright::ptx
