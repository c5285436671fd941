// Who hears what becomes of the accesses and lines of a cache.
#pragma once

#include "mem/request.hpp"

namespace warpwright::mem {

class CacheListener {
 public:
  virtual ~CacheListener() = default;
  // The access has been looked up. isHit: with all sectors that it touches.
  virtual void accessed(const Request& access, bool isHit) = 0;
  // The access waits in an MSHR. isFirst: it has asked below for something; else all that it lacks was under way.
  virtual void missed(const Request& access, bool isFirst) = 0;
  virtual void filled(const Request& response) = 0;
  // The line has made room for another. whose: who brought it, or wrote to it last.
  virtual void evicted(GlobalAddress address, const Origin& whose) = 0;
};

}  // namespace warpwright::mem
