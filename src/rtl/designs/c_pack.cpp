// C-Pack: the dictionary grows from word to word, so that the compressor is a chain.
#include "compression/c_pack.hpp"

#include <fmt/format.h>

#include "rtl/designs/catalogue.hpp"
#include "rtl/designs/codecs.hpp"

namespace warpwright::rtl {
namespace {

struct Sizes {
  u32 lineBytes = 0, words = 0, headBytes = 0;
};

Sizes sizesOf(u32 lineBytes) {
  const u32 words = lineBytes / 4;
  return {lineBytes, words, (4 * words + 3 + 7) / 8};
}

Package makeCompressor(const Values& values) {
  const Sizes sizes = sizesOf(lineBytesOf(values));
  Module module = compressorPorts("c_pack_compressor", sizes.lineBytes);
  module.body(fmt::format(R"(
logic [31:0] word;
logic [127:0] dictionary;
logic [2:0] size;
logic has_whole, has_part, is_full;
logic [1:0] whole, part;
logic [{words}*4-1:0] forms;
logic [{words}*8-1:0] last_bytes;
always_comb begin
  dictionary = '0;
  size = '0;
  is_full = 1'b0;
  forms = '0;
  last_bytes = '0;
  for (int i = 0; i < {words}; i++) begin
    word = line[i * 32 +: 32];
    last_bytes[i * 8 +: 8] = word[7:0];
    {{has_whole, has_part, whole, part}} = '0;
    for (int entry = 3; entry >= 0; entry--)
      if (3'(entry) < size && dictionary[entry * 32 + 8 +: 24] == word[31:8]) begin
        has_part = 1'b1;
        part = 2'(entry);
        if (dictionary[entry * 32 +: 8] == word[7:0]) begin
          has_whole = 1'b1;
          whole = 2'(entry);
        end
      end
    if (word[31:8] == '0) forms[i * 4 +: 4] = {{3'b0, word != '0}};
    else if (has_whole) forms[i * 4 +: 4] = {{whole, 2'd2}};
    else if (has_part) forms[i * 4 +: 4] = {{part, 2'd3}};
    else if (size == {most}) is_full = 1'b1;
    else begin
      forms[i * 4 +: 4] = {{size[1:0], 2'd2}};
      dictionary[size[1:0] * 32 +: 32] = word;
      size = size + 3'd1;
    end
  end
end
logic [7:0] total;
assign total = {fixed} + {{3'b0, size, 2'b0}};
assign is_compressed = !is_full && total < {line};
assign bytes = is_compressed ? total : {line};
assign compressed = !is_compressed ? '0 :
    {lineBits}'({{size, forms}}) | ({lineBits}'(dictionary) << {headBits}) | (({lineBits}'(last_bytes) << {headBits}) << {{size, 5'b0}});
)",
                          fmt::arg("words", sizes.words), fmt::arg("most", literal(3, compression::cPackMostValues({}))),
                          fmt::arg("fixed", literal(8, sizes.headBytes + sizes.words)), fmt::arg("line", literal(8, sizes.lineBytes)),
                          fmt::arg("lineBits", sizes.lineBytes * 8), fmt::arg("headBits", sizes.headBytes * 8)));
  return compressorPackage(compression::Codec::cPack, {module}, sizes.lineBytes);
}

Package makeDecompressor(const Values& values) {
  const Sizes sizes = sizesOf(lineBytesOf(values));
  Module module = decompressorPorts("c_pack_decompressor", sizes.lineBytes);
  module.body(fmt::format(R"(
logic [2:0] size;
logic [127:0] dictionary;
logic [{words}*8-1:0] last_bytes;
assign size = compressed[{words}*4 +: 3];
assign dictionary = compressed[{headBits} +: 128];
assign last_bytes = {lastBits}'(compressed >> {headBits} >> {{size, 5'b0}});
always_comb
  for (int i = 0; i < {words}; i++)
    line[i * 32 +: 32] = {{compressed[i * 4 + 1] ? dictionary[compressed[i * 4 + 2 +: 2] * 32 + 8 +: 24] : 24'h0, last_bytes[i * 8 +: 8]}};
)",
                          fmt::arg("words", sizes.words), fmt::arg("headBits", sizes.headBytes * 8),
                          fmt::arg("lastBits", sizes.words * 8)));
  return decompressorPackage(compression::Codec::cPack, {module}, sizes.lineBytes);
}

}  // namespace

Design cPackCompressorDesign() {
  return {"c-pack-compressor", "C-Pack compression of a line (src/compression/c_pack.hpp)", lineParameter(), makeCompressor};
}
Design cPackDecompressorDesign() { return {"c-pack-decompressor", "the same backwards", lineParameter(), makeDecompressor}; }

}  // namespace warpwright::rtl
