/* Engines that read batches. */
#ifndef CMKIT_SIM_STREAM_ENGINE_H
#define CMKIT_SIM_STREAM_ENGINE_H

enum stream_engine { STREAM_RENDER, STREAM_COPY, STREAM_COMPUTE };

#endif
