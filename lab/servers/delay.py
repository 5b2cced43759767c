"""Joins two TUN devices and passes every packet on after some time: a long cable.

usage: delay.py DEVICE DEVICE MILLISECONDS
"""
import collections
import fcntl
import os
import select
import struct
import sys
import time

# linux/if_tun.h
TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000

# A device answers "input/output error" while it is down.
DOWN_SECONDS = 0.01


def open_device(name):
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return device


def main():
    near, far = open_device(sys.argv[1]), open_device(sys.argv[2])
    delay = float(sys.argv[3]) / 1000
    other = {near: far, far: near}
    under_way = collections.deque()
    print("ready", flush=True)
    while True:
        wait = max(0, under_way[0][0] - time.monotonic()) if under_way else None
        readable, _, _ = select.select([near, far], [], [], wait)
        for device in readable:
            try:
                packet = os.read(device, 65535)
            except OSError:
                time.sleep(DOWN_SECONDS)
                continue
            under_way.append((time.monotonic() + delay, other[device], packet))
        while under_way and under_way[0][0] <= time.monotonic():
            _, device, packet = under_way.popleft()
            try:
                os.write(device, packet)
            except OSError:
                pass


main()
