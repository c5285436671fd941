// Who hears of a cache's misses and fills.
#pragma once

#include "mem/request.hpp"

namespace warpwright::mem {

class CacheListener {
 public:
  virtual ~CacheListener() = default;
  // The access waits in an MSHR. isFirst: it has asked below for something; else all that it lacks was under way.
  virtual void missed(const Request& access, bool isFirst) = 0;
  virtual void filled(const Request& response) = 0;
};

}  // namespace warpwright::mem
