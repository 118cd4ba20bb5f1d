// M/M/c with a plain std::priority_queue: the yardstick of `npm run bench`.
//
// The same model as mmc.ts, draw for draw: integer microseconds, events ordered by (time, sequence), sfc32 and the exponential ziggurat, a FIFO
// queue of arrival times. Prints the CPU seconds that the loop took and the mean wait in service times.
//
// Usage: mmc CUSTOMERS SERVERS LOAD

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <queue>
#include <vector>

struct Sfc32 {
  uint32_t a, b, c, counter;

  uint32_t next() {
    uint32_t sum = a + b + counter++;
    a = b ^ (b >> 9);
    b = c + (c << 3);
    c = ((c << 21) | (c >> 11)) + sum;
    return sum;
  }

  double unit() { return ((next() >> 6) * 134217728.0 + (next() >> 5)) * 0x1p-53; }
};

struct Ziggurat {
  double edge[257], ratio[256], height[257];

  Ziggurat() {
    const double tail = 7.69711747013104972, area = 0.0039496598225815571993;
    edge[0] = area / std::exp(-tail);
    edge[1] = tail;
    for (int i = 2; i < 256; i++) edge[i] = -std::log(area / edge[i - 1] + std::exp(-edge[i - 1]));
    edge[256] = 0;
    for (int i = 0; i < 256; i++) ratio[i] = edge[i + 1] / edge[i];
    for (int i = 0; i <= 256; i++) height[i] = std::exp(-edge[i]);
  }

  double draw(Sfc32 &bits) const {
    double x = 0;
    for (;;) {
      uint32_t low = bits.next();
      int layer = low & 255;
      double u = (bits.next() * 2097152.0 + (low >> 11)) * 0x1p-53;
      double inside = u * edge[layer];
      if (u < ratio[layer]) return x + inside;
      if (layer == 0) x += edge[1];
      else if (height[layer] + bits.unit() * (height[layer + 1] - height[layer]) < std::exp(-inside)) return x + inside;
    }
  }
};

struct Event {
  int64_t time;
  uint64_t sequence;
  int kind;
  bool operator>(const Event &other) const {
    return time != other.time ? time > other.time : sequence > other.sequence;
  }
};

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const long customers = std::atol(argv[1]);
  const int servers = std::atoi(argv[2]);
  const double load = std::atof(argv[3]);
  const double service = 1000000, gap = service / load;

  const Ziggurat exponential;
  Sfc32 arrivals{1, 2, 3, 4}, services{5, 6, 7, 8};
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events;
  std::deque<int64_t> waiting;
  uint64_t sequence = 0;
  int busy = 0;
  long arrived = 0;
  double waited = 0;
  auto start = [&](double mean, Sfc32 &bits, int64_t now, int kind) {
    events.push({now + (int64_t)std::floor(mean * exponential.draw(bits) + 0.5), sequence++, kind});
  };

  const std::clock_t began = std::clock();
  start(gap, arrivals, 0, 0);
  while (!events.empty()) {
    const Event event = events.top();
    events.pop();
    if (event.kind == 0) {
      if (++arrived < customers) start(gap, arrivals, event.time, 0);
      if (busy < servers) {
        busy++;
        start(service, services, event.time, 1);
      } else {
        waiting.push_back(event.time);
      }
    } else if (!waiting.empty()) {
      waited += event.time - waiting.front();
      waiting.pop_front();
      start(service, services, event.time, 1);
    } else {
      busy--;
    }
  }
  const double took = double(std::clock() - began) / CLOCKS_PER_SEC;
  std::printf("%.6f %.6f\n", took, waited / customers / service);
}
