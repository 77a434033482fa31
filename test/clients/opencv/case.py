"""Runs OpenCV functions on a UMat and prints the largest difference from the same function on a Mat."""
import sys

import cv2
import numpy as np

cv2.setRNGSeed(1)
random = np.random.default_rng(1)
GREY = random.integers(0, 256, (48, 64), dtype=np.uint8)
COLOUR = random.integers(0, 256, (48, 64, 3), dtype=np.uint8)
FLOAT = random.random((48, 64), dtype=np.float32)
KERNEL = np.ones((3, 3), np.uint8)
SHEAR = np.float32([[1, -0.25, -0.125], [0, 1, 0.125]])  # no pixel lies in the middle between two

# Not Canny, which differs as much on PoCL. OpenCV has kernels of one channel of bytes for Intel's devices only.
# gaussianBlur5x5_8UC1_cols4 takes the row before the last one twice for the last row, so that this row is left out.
# warpAffine_nearest_8u rounds the place of a pixel, where the processor adds rounded fractions: they differ near the
# middle between two pixels.
# Name: the function of a converter (cv2.UMat or the identity), and the most that may differ.
CASES = {
    "add": (lambda u: cv2.add(u(GREY), u(GREY[::-1].copy())), 0),
    "absdiff": (lambda u: cv2.absdiff(u(GREY), u(GREY[::-1].copy())), 0),
    "multiply": (lambda u: cv2.multiply(u(FLOAT), u(FLOAT)), 1e-6),
    "addWeighted": (lambda u: cv2.addWeighted(u(GREY), 0.3, u(GREY[::-1].copy()), 0.6, 5), 1),
    "bitwise_xor": (lambda u: cv2.bitwise_xor(u(GREY), u(GREY[::-1].copy())), 0),
    "compare": (lambda u: cv2.compare(u(GREY), u(GREY[::-1].copy()), cv2.CMP_GT), 0),
    "cvtColor": (lambda u: cv2.cvtColor(u(COLOUR), cv2.COLOR_BGR2GRAY), 1),
    "cvtColor.hsv": (lambda u: cv2.cvtColor(u(COLOUR), cv2.COLOR_BGR2HSV), 1),
    "cvtColor.lab": (lambda u: cv2.cvtColor(u(COLOUR), cv2.COLOR_BGR2Lab), 1),
    "resize": (lambda u: cv2.resize(u(GREY), (40, 30), interpolation=cv2.INTER_LINEAR), 1),
    "resize.area": (lambda u: cv2.resize(u(GREY), (32, 24), interpolation=cv2.INTER_AREA), 1),
    "medianBlur": (lambda u: cv2.medianBlur(u(GREY), 3), 0),
    "boxFilter": (lambda u: cv2.boxFilter(u(GREY), -1, (3, 3)), 1),
    "GaussianBlur": (lambda u: array(cv2.GaussianBlur(u(GREY), (5, 5), 0))[:-1], 1),
    "warpAffine": (lambda u: cv2.warpAffine(u(GREY), SHEAR, (64, 48), flags=cv2.INTER_NEAREST), 0),
    "bilateralFilter": (lambda u: cv2.bilateralFilter(u(GREY), 5, 30, 30), 1),
    "filter2D": (lambda u: cv2.filter2D(u(FLOAT), -1, np.float32([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])), 1e-5),
    "Sobel": (lambda u: cv2.Sobel(u(GREY), cv2.CV_16S, 1, 0), 0),
    "Laplacian": (lambda u: cv2.Laplacian(u(FLOAT), cv2.CV_32F, ksize=3), 1e-4),
    "erode": (lambda u: cv2.erode(u(GREY), KERNEL), 0),
    "dilate": (lambda u: cv2.dilate(u(GREY), KERNEL), 0),
    "threshold": (lambda u: cv2.threshold(u(GREY), 100, 255, cv2.THRESH_BINARY)[1], 0),
    "pyrDown": (lambda u: cv2.pyrDown(u(GREY)), 1),
    "pyrUp": (lambda u: cv2.pyrUp(u(GREY)), 1),
    "equalizeHist": (lambda u: cv2.equalizeHist(u(GREY)), 1),
    "calcHist": (lambda u: cv2.calcHist([u(GREY)], [0], None, [32], [0, 256]), 0),
    "integral": (lambda u: cv2.integral(u(GREY)), 0),
    "transpose": (lambda u: cv2.transpose(u(GREY)), 0),
    "flip": (lambda u: cv2.flip(u(COLOUR), 1), 0),
    "gemm": (lambda u: cv2.gemm(u(FLOAT), u(FLOAT.T.copy()), 1, None, 0), 1e-3),
    "dft": (lambda u: cv2.dft(u(FLOAT), flags=cv2.DFT_COMPLEX_OUTPUT), 1e-2),
    "exp": (lambda u: cv2.exp(u(FLOAT)), 1e-5),
    "sqrt": (lambda u: cv2.sqrt(u(FLOAT)), 1e-6),
    "LUT": (lambda u: cv2.LUT(u(GREY), u(np.arange(255, -1, -1, dtype=np.uint8))), 0),
    "matchTemplate": (lambda u: cv2.matchTemplate(u(FLOAT), u(FLOAT[8:16, 8:16].copy()), cv2.TM_SQDIFF), 1e-2),
    "normalize": (lambda u: cv2.normalize(u(FLOAT), None, 0, 1, cv2.NORM_MINMAX), 1e-5),
    "split": (lambda u: cv2.split(u(COLOUR))[1], 0),
    "merge": (lambda u: cv2.merge([u(GREY), u(GREY), u(GREY)]), 0),
    "moments": (lambda u: np.array(list(cv2.moments(u(GREY)).values())[:10]), 1e-3),
}


def array(value):
    return np.asarray(value.get() if isinstance(value, cv2.UMat) else value, dtype=np.float64)


def main():
    cv2.ocl.setUseOpenCL(True)
    if not cv2.ocl.haveOpenCL():
        sys.exit("no OpenCL device")
    for name, (function, most) in CASES.items():
        cv2.ocl.setUseOpenCL(True)
        here = array(function(cv2.UMat))
        cv2.ocl.setUseOpenCL(False)
        there = array(function(lambda value: value))
        difference = float(np.abs(here - there).max()) if here.shape == there.shape else float("inf")
        print("case", name, f"{difference:g}", "right" if difference <= most else "wrong", flush=True)


main()
