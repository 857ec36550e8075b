const everyMs = 200;

/** The most resident memory that this process was seen to have from its making to `stop`. */
export class PeakMemory {
  private bytes = residentBytes();
  private readonly timer = setInterval(() => this.note(), everyMs);

  stop(): number {
    clearInterval(this.timer);
    this.note();
    return this.bytes;
  }

  private note(): void {
    this.bytes = Math.max(this.bytes, residentBytes());
  }
}

// Reading it takes a descriptor, of which the sessions may have left none; the peak over the process's life takes none.
function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
