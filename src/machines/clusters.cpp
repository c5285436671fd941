// Clusters of blocks: their place on the SMs of a group, and what they do to each other, which takes effect between quanta. See
// exec/stepper.hpp.
#include <algorithm>

#include "machines/gpu.hpp"

namespace warpwright::machines {

// Whole clusters, for as long as a group of SMs has room and the rate allows it.
void Gpu::startClusters(Running& running, Cycle now) {
  const auto count = static_cast<u32>(smGroups_.size());
  for (u32 refused = 0; running.next < running.blocks && refused < count; nextGroup_ = (nextGroup_ + 1) % count) {
    if (!startRate_.mayStart(now)) return;
    const bool hasBegun = startCluster(running, smGroups_[nextGroup_], now);
    refused = hasBegun ? 0 : refused + 1;
    running.isRefused = refused == count;
  }
}

// False: there is no room in the group. Blocks go to its SMs in turn, one each, for as long as they have room.
bool Gpu::startCluster(Running& running, const config::SmGroup& group, Cycle now) {
  const sm::LaunchPlan& plan = *running.plan;
  const u32 blocks = running.clusterBlocks;
  std::vector<u32> room(group.count);
  u64 all = 0;
  for (u32 i = 0; i < group.count; ++i) all += room[i] = sms_[group.first + i]->roomFor(plan);
  if (all < blocks) return false;
  sm::ClusterSeat& seat = freeSeat(running);
  u32& turn = nextInGroup_[nextGroup_];
  for (u32 rank = 0; rank < blocks; turn = (turn + 1) % group.count) {
    if (room[turn] == 0) continue;
    --room[turn];
    const SmId chosen{group.first + turn};
    startRate_.started();
    seat.sms[rank] = chosen;
    seat.slots[rank] = sms_[chosen]->host(plan, exec::blockAt(plan.request, running.next++), now, &seat);
    quanta_->noteChange(domainOf(chosen));
    ++rank;
  }
  return true;
}

sm::ClusterSeat& Gpu::freeSeat(Running& running) {
  const auto isFree = [](const auto& seat) { return seat->isFree(); };
  const auto found = std::find_if(running.seats.begin(), running.seats.end(), isFree);
  sm::ClusterSeat& seat = found != running.seats.end() ? **found : *running.seats.emplace_back(std::make_unique<sm::ClusterSeat>());
  seat = {};
  seat.plan = running.plan.get();
  return seat;
}

// In the order of their issue, by time, then by SM.
void Gpu::performRemote(Cycle now) {
  struct Access {
    Cycle issued{};
    SmId at;
    sm::RunningLaunch* launch = nullptr;
    u32 number = 0;
  };
  std::vector<Access> accesses;
  for (u32 i = 0; i < sms_.size(); ++i) {
    if (!sms_[i]->outcome().hasRemote) continue;
    sms_[i]->launches().forEachStepper([&](sm::RunningLaunch& launch) {
      for (u32 number = 0; number < launch.stepper->remoteAccesses(); ++number)
        accesses.push_back({launch.stepper->remoteIssued(number), SmId{i}, &launch, number});
    });
  }
  std::stable_sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) { return a.issued < b.issued; });
  for (const Access& access : accesses)
    if (!sms_[access.at]->performRemote(*access.launch, access.number, now)) return;
}

void Gpu::answerRemote(Cycle now) {
  struct Message {
    SmId from;
    sm::RemoteMessage message;
  };
  std::vector<Message> messages;
  for (u32 i = 0; i < sms_.size(); ++i) {
    for (const sm::RemoteMessage& message : sms_[i]->remoteMessages()) messages.push_back({SmId{i}, message});
    sms_[i]->remoteMessages().clear();
  }
  std::stable_sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) { return a.message.sent < b.message.sent; });
  for (const auto& [from, message] : messages) {
    sms_[from]->remoteAnswered(message.entry, std::max(now, clusterNetwork_.answer(message, sms_[from]->seatOf(message.slot))));
    quanta_->noteChange(domainOf(from));
  }
}

// A barrier opens when the last arrival has come to all of the cluster's SMs.
void Gpu::openClusterBarriers(Cycle now) {
  for (const auto& running : running_)
    for (const auto& seat : running->seats) openClusterBarrier(*seat, now);
}

void Gpu::openClusterBarrier(sm::ClusterSeat& seat, Cycle now) {
  // The arrivals are those that have been taken already.
  if (seat.opens != kNever && now <= seat.opens) return;
  const auto& blocks = seat.cluster.blocks;
  const auto first = std::find_if(blocks.begin(), blocks.end(), [](const exec::Block* block) { return block != nullptr; });
  if (first == blocks.end()) return;
  const auto rank = static_cast<std::size_t>(first - blocks.begin());
  if (!sms_[seat.sms[rank]]->stepperOf(*seat.plan).takeClusterArrival(seat.slots[rank])) return;
  Cycle last{};
  for (u32 i = 0; i < blocks.size(); ++i)
    if (blocks[i]) last = std::max(last, sms_[seat.sms[i]]->stepperOf(*seat.plan).lastArrival(seat.slots[i]));
  seat.opens = std::max(now, last + clusterNetwork_.way());
  for (u32 i = 0; i < blocks.size(); ++i) {
    if (!blocks[i]) continue;
    sms_[seat.sms[i]]->openClusterBarrier(*seat.plan, seat.slots[i], seat.opens);
    quanta_->noteChange(domainOf(seat.sms[i]));
  }
}

// What blocks of clusters have done in the quantum.
void Gpu::settleClusters(Cycle now) {
  performRemote(now);
  answerRemote(now);
  openClusterBarriers(now);
  for (const auto& sm : sms_)
    if (sm->outcome().hasRemote) sm->forgetRemote();
}

}  // namespace warpwright::machines
