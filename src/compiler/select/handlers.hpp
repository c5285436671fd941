// How the PTX instructions of each family become machine instructions: free functions over the Selector, which holds the instruction at
// hand, one file a family.
#pragma once

#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

using SelectionHandler = void (*)(Selector& s);
// Null: the instruction has one lane operation, see laneByTable().
SelectionHandler handlerOf(ptx::Opcode opcode);

// --- asynchronous copies and mbarrier objects (select_async.cpp)
void selectCp(Selector& s);
void selectMbarrier(Selector& s);
// So many bytes of an asynchronous store are there: the mbarrier object at the address waits for them no more.
void completeTransactions(Selector& s, const ptx::Operand& object, u32 bytes);

// --- bulk copies and tensor maps (select_bulk.cpp)
void selectBulk(Selector& s);
void selectTensorMap(Selector& s);
// An address of the space, or its generic address, as one operand.
isa::Operand addressInRegister(Selector& s, const ptx::Operand& source, isa::Space space);

// --- calls (select_call.cpp)
void selectCall(Selector& s);

// --- clusters and cache policies (select_cluster.cpp)
void selectCreatePolicy(Selector& s);
void selectMapa(Selector& s);
void selectGetCtaRank(Selector& s);
void selectClusterBarrier(Selector& s);

// --- control flow (select_control.cpp)
void selectBra(Selector& s);
void selectBrx(Selector& s);
void selectRet(Selector& s);
void selectExit(Selector& s);
void selectSimpleControl(Selector& s);
void selectNanosleep(Selector& s);
void drop(Selector& s);
void checkRegisterCount(Selector& s);

// --- conversions (select_convert.cpp)
void selectCvt(Selector& s);

// --- special functions (select_float.cpp)
void selectSpecialFunction(Selector& s);

// --- halves and smaller formats, and comparisons and arithmetic that work on them too (select_half.cpp)
void selectSetp(Selector& s);
void selectHalfSet(Selector& s);
void selectMin(Selector& s);
void selectMax(Selector& s);
// True when the instruction was selected as operations on single precision, or as another conversion.
bool selectedAsSingles(Selector& s, isa::Opcode opcode);
void selectFma(Selector& s);
bool selectedAsNarrowConversion(Selector& s);

// --- integer arithmetic (select_integer.cpp)
void selectAdd(Selector& s);
void selectAddc(Selector& s);
void selectSub(Selector& s);
void selectSubc(Selector& s);
void selectMul(Selector& s);
void selectMad(Selector& s);
void selectMadc(Selector& s);
void selectMul24(Selector& s);
void selectMad24(Selector& s);
void selectDotProduct(Selector& s);
void selectFunnel(Selector& s);
void selectLop3(Selector& s);
void selectPermute(Selector& s);
void selectSet(Selector& s);
void selectSlct(Selector& s);

// --- lane operations by the table (select_lane.cpp)
// Operands by the letters of the operation's row.
void lane(Selector& s, isa::Opcode opcode);
// The same for PTX instructions that have one lane operation; an error for what has none.
void laneByTable(Selector& s);

// --- memory (select_memory.cpp)
// Of the value's elements, in contiguous registers.
MachineInstruction& emitLoad(Selector& s, const Address& address, isa::DataType type, u32 vector, isa::Operand destination);
MachineInstruction& emitStore(Selector& s, const Address& address, isa::DataType type, u32 vector, isa::Operand value);
void selectLd(Selector& s);
void selectSt(Selector& s);
void selectAtom(Selector& s);
void selectRed(Selector& s);
void selectPrefetch(Selector& s);
void selectFence(Selector& s);
void selectCvta(Selector& s);
void selectIsspacep(Selector& s);

// --- moves and vectors (select_move.cpp)
void selectMov(Selector& s);

// --- matrices (select_tensor.cpp)
void selectMma(Selector& s);
void selectWmma(Selector& s);
void selectWgmma(Selector& s);
void selectLdmatrix(Selector& s);
void selectStmatrix(Selector& s);
void selectMovmatrix(Selector& s);

// --- textures and surfaces (select_texture.cpp)
void selectTex(Selector& s);
void selectTextureQuery(Selector& s);
void selectSuld(Selector& s);
void selectSust(Selector& s);
void selectSured(Selector& s);

// --- video (select_video.cpp)
void selectVideo(Selector& s);

// --- operations among lanes, and barriers (select_warp.cpp)
void selectShfl(Selector& s);
void selectVote(Selector& s);
void selectMatch(Selector& s);
void selectRedux(Selector& s);
void selectActivemask(Selector& s);
void selectElect(Selector& s);
void selectBar(Selector& s);

// --- 128-bit registers, vectors of 32 bytes, atomic vectors (select_wide.cpp)
void moveQuad(Selector& s);
void loadQuad(Selector& s, const Address& address);
void storeQuad(Selector& s, const Address& address);
void loadWideVector(Selector& s, const Address& address, isa::DataType type);
void storeWideVector(Selector& s, const Address& address, isa::DataType type);
void atomicVector(Selector& s);

}  // namespace warpwright::compiler
