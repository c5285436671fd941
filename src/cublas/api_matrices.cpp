// Functions of matrices.
#include "handle.hpp"

using namespace warpwright::cublas;

namespace {

struct Shape {
  cublasOperation_t a, b;
  int m, n, k;
};

template <typename T>
struct Operand {
  T* data = nullptr;
  int leading = 0;
  long long batchStep = 0;
  T* const* pointers = nullptr;

  bool isThere() const { return data || pointers; }
  Batched<T> matrix(cublasOperation_t operation) const { return {columnMajor(data, leading, operation), batchStep, pointers}; }
};

template <typename In, typename Out, typename Factor>
cublasStatus_t product(cublasHandle_t handle, const Shape& shape, const Factor* alpha, const Operand<const In>& a,
                       const Operand<const In>& b, const Factor* beta, const Operand<Out>& c, int batch) {
  const cublasOperation_t opA = shape.a, opB = shape.b;
  const int m = shape.m, n = shape.n, k = shape.k;
  const bool sizesValid = isOperation(opA) && isOperation(opB) && m >= 0 && n >= 0 && k >= 0 && batch >= 0 &&
                          holds(a.leading, opA == CUBLAS_OP_N ? m : k) && holds(b.leading, opB == CUBLAS_OP_N ? k : n) &&
                          holds(c.leading, m);
  const bool isEmpty = m == 0 || n == 0 || batch == 0;
  const bool pointersValid = isEmpty || (alpha && beta && c.isThere() && (k == 0 || (a.isThere() && b.isThere())));
  return call(handle, sizesValid && pointersValid, [&] {
    if (isEmpty) return cudaSuccess;
    return multiply<In, Out, Factor>(m, n, k, batch, scalarOf(handle, alpha), a.matrix(opA), b.matrix(opB), scalarOf(handle, beta),
                                     c.matrix(CUBLAS_OP_N), handle->stream);
  });
}

template <typename In, typename Out, typename Factor>
cublasStatus_t productOf(cublasHandle_t handle, const Shape& shape, const void* alpha, const void* a, int lda, const void* b, int ldb,
                         const void* beta, void* c, int ldc) {
  return product<In, Out, Factor>(handle, shape, static_cast<const Factor*>(alpha), {static_cast<const In*>(a), lda},
                                  {static_cast<const In*>(b), ldb}, static_cast<const Factor*>(beta), {static_cast<Out*>(c), ldc}, 1);
}

bool isSingle(cublasComputeType_t type) {
  return type == CUBLAS_COMPUTE_32F || type == CUBLAS_COMPUTE_32F_PEDANTIC || type == CUBLAS_COMPUTE_32F_FAST_16F ||
         type == CUBLAS_COMPUTE_32F_FAST_16BF || type == CUBLAS_COMPUTE_32F_FAST_TF32;
}
bool isHalf(cublasComputeType_t type) { return type == CUBLAS_COMPUTE_16F || type == CUBLAS_COMPUTE_16F_PEDANTIC; }
bool isDouble(cublasComputeType_t type) { return type == CUBLAS_COMPUTE_64F || type == CUBLAS_COMPUTE_64F_PEDANTIC; }

template <typename T>
cublasStatus_t gemvOf(cublasHandle_t handle, cublasOperation_t operation, int m, int n, const T* alpha, const T* a, int lda, const T* x,
                      int incx, const T* beta, T* y, int incy) {
  const bool sizesValid = isOperation(operation) && m >= 0 && n >= 0 && holds(lda, m) && incx != 0 && incy != 0;
  const bool isEmpty = m == 0 || n == 0;
  return call(handle, sizesValid && (isEmpty || (alpha && a && x && beta && y)), [&] {
    if (isEmpty) return cudaSuccess;
    const int rows = operation == CUBLAS_OP_N ? m : n, columns = operation == CUBLAS_OP_N ? n : m;
    return multiply<T>(rows, columns, scalarOf(handle, alpha), columnMajor(a, lda, operation), vectorOf(x, columns, incx),
                       scalarOf(handle, beta), vectorOf(y, rows, incy), handle->stream);
  });
}

template <typename T>
cublasStatus_t gerOf(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) {
  const bool sizesValid = m >= 0 && n >= 0 && holds(lda, m) && incx != 0 && incy != 0;
  const bool isEmpty = m == 0 || n == 0;
  return call(handle, sizesValid && (isEmpty || (alpha && x && y && a)), [&] {
    if (isEmpty) return cudaSuccess;
    return addOuterProduct<T>(m, n, scalarOf(handle, alpha), vectorOf(x, m, incx), vectorOf(y, n, incy), columnMajor(a, lda),
                              handle->stream);
  });
}

template <typename T>
cublasStatus_t geamOf(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, const T* alpha, const T* a,
                      int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {
  const bool sizesValid = isOperation(opA) && isOperation(opB) && m >= 0 && n >= 0 && holds(lda, opA == CUBLAS_OP_N ? m : n) &&
                          holds(ldb, opB == CUBLAS_OP_N ? m : n) && holds(ldc, m);
  const bool isEmpty = m == 0 || n == 0;
  return call(handle, sizesValid && (isEmpty || (alpha && beta && c)), [&] {
    if (isEmpty) return cudaSuccess;
    return add<T>(m, n, scalarOf(handle, alpha), columnMajor(a, lda, opA), scalarOf(handle, beta), columnMajor(b, ldb, opB),
                  columnMajor(c, ldc), handle->stream);
  });
}

}  // namespace

#define WW_PRODUCTS(name, prefix, T)                                                                                                    \
  cublasStatus_t name(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const T* alpha,   \
                      const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {                                         \
    return productOf<T, T, T>(handle, {transa, transb, m, n, k}, alpha, a, lda, b, ldb, beta, c, ldc);                                  \
  }                                                                                                                                     \
  cublasStatus_t prefix##Batched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
                                 const T* alpha, const T* const a[], int lda, const T* const b[], int ldb, const T* beta, T* const c[], \
                                 int ldc, int batchCount) {                                                                             \
    return product<T, T, T>(handle, {transa, transb, m, n, k}, alpha, {nullptr, lda, 0, a}, {nullptr, ldb, 0, b}, beta,                 \
                            {nullptr, ldc, 0, c}, batchCount);                                                                          \
  }                                                                                                                                     \
  cublasStatus_t prefix##StridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, \
                                        const T* alpha, const T* a, int lda, long long int strideA, const T* b, int ldb,                \
                                        long long int strideB, const T* beta, T* c, int ldc, long long int strideC, int batchCount) {   \
    return product<T, T, T>(handle, {transa, transb, m, n, k}, alpha, {a, lda, strideA, nullptr}, {b, ldb, strideB, nullptr}, beta,     \
                            {c, ldc, strideC, nullptr}, batchCount);                                                                    \
  }
WW_PRODUCTS(cublasSgemm_v2, cublasSgemm, float)
WW_PRODUCTS(cublasDgemm_v2, cublasDgemm, double)
WW_PRODUCTS(cublasHgemm, cublasHgemm, __half)

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType aType, int lda, const void* b, cudaDataType bType, int ldb,
                            const void* beta, void* c, cudaDataType cType, int ldc, cublasComputeType_t computeType, cublasGemmAlgo_t) {
  if (!isAlive(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const Shape shape{transa, transb, m, n, k};
  const auto is = [&](cudaDataType in, cudaDataType out) { return aType == in && bType == in && cType == out; };
  const auto with = [&](auto function) { return function(handle, shape, alpha, a, lda, b, ldb, beta, c, ldc); };
  if (isSingle(computeType)) {
    if (is(CUDA_R_32F, CUDA_R_32F)) return with(productOf<float, float, float>);
    if (is(CUDA_R_16F, CUDA_R_16F)) return with(productOf<__half, __half, float>);
    if (is(CUDA_R_16F, CUDA_R_32F)) return with(productOf<__half, float, float>);
    if (is(CUDA_R_16BF, CUDA_R_16BF)) return with(productOf<__nv_bfloat16, __nv_bfloat16, float>);
    if (is(CUDA_R_16BF, CUDA_R_32F)) return with(productOf<__nv_bfloat16, float, float>);
  }
  if (isHalf(computeType) && is(CUDA_R_16F, CUDA_R_16F)) return with(productOf<__half, __half, __half>);
  if (isDouble(computeType) && is(CUDA_R_64F, CUDA_R_64F)) return with(productOf<double, double, double>);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

#define WW_MATRICES(L, T)                                                                                                                 \
  cublasStatus_t cublas##L##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T* alpha, const T* a, int lda,    \
                                    const T* x, int incx, const T* beta, T* y, int incy) {                                                \
    return gemvOf(handle, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);                                                            \
  }                                                                                                                                       \
  cublasStatus_t cublas##L##ger_v2(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, \
                                   int lda) {                                                                                             \
    return gerOf(handle, m, n, alpha, x, incx, y, incy, a, lda);                                                                          \
  }                                                                                                                                       \
  cublasStatus_t cublas##L##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, const T* alpha, \
                                 const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {                                \
    return geamOf(handle, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);                                                     \
  }
WW_MATRICES(S, float)
WW_MATRICES(D, double)
