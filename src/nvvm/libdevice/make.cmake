# Makes libdevice of its source: cmake -D CC=warpwright-cc -D CLANG=clang++-14 -D SOURCE=libdevice.cu -D OUTPUT=libdevice.10.bc -D OPT=opt-14 -P make.cmake
# It serves every architecture: what clang writes of the one that it was compiled for is taken off, so that its functions may be inlined anywhere.
get_filename_component(folder ${OUTPUT} DIRECTORY)
set(text ${OUTPUT}.ll)
file(MAKE_DIRECTORY ${folder})
execute_process(COMMAND ${CC} -ccbin ${CLANG} --ptx -arch=sm_60 -Xcicc -emit-llvm ${SOURCE} -o ${text} COMMAND_ERROR_IS_FATAL ANY)
file(READ ${text} content)
string(REGEX REPLACE "^//[^\n]*\n" "" content "${content}")
string(REGEX REPLACE " \"target-(cpu|features)\"=\"[^\"]*\"" "" content "${content}")
file(WRITE ${text} "${content}")
execute_process(COMMAND ${OPT} -strip-debug ${text} -o ${OUTPUT} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${text})
